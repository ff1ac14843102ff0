import Geocoding
import Points
import Postgres
import Queue
import Towns

let me = Author.user("ada", on: "here")

/// A house of a town by the sea. Houses of a street are ten metres apart, odd numbers in the south.
func point(
    _ number: String, _ street: String, _ city: String = "Dorf", _ postcode: String = "1234", country: String = "AT",
    north: Double = 0, east: Double = 0
) -> AddressPoint {
    let value = Double(number.prefix(while: \.isNumber)) ?? 0
    let side = Int(value).isMultiple(of: 2) ? 0.0002 : 0
    guard let place = Coordinate(latitude: 47 + north + side, longitude: 10 + east + value * 0.000_065) else {
        preconditionFailure("the test's points are on Earth")
    }
    return AddressPoint(
        number: number, street: street, city: city, postcode: postcode, countryCode: country, coordinate: place)
}

@discardableResult
func load(
    _ points: [AddressPoint], as name: String = "houses", attribution: String? = nil, licence: String? = nil,
    into database: Database
) async throws -> PointLoad.Outcome {
    var load = PointLoad(name)
    (load.attribution, load.licence) = (attribution, licence)
    return try await load.run(by: me, on: database) { add in try points.forEach(add) }
}

extension Database {
    /// The current version of a set.
    func set(_ name: String = "houses") async throws -> PointSet? {
        try await run { try PointSetStore().sets(on: $0).first { $0.name == name } }
    }

    func provider(_ name: String = "houses") async throws -> PointProvider? {
        try await set(name).map {
            PointProvider(
                $0, in: self,
                guide: PointGuide(otherTowns: { Gazetteer.shared.otherTowns(of: $0) }, isAbroad: { _, _ in false }))
        }
    }
}
