import Geocoding

/// The reason why a row of address data gives no point.
package enum PointOmission: Int, Error, CaseIterable, CustomStringConvertible, Sendable {
    case noNumber, noStreet, noTown, noCountry, noPosition, notOnEarth, repeated, malformed

    package var description: String {
        switch self {
        case .noNumber: "no house number"
        case .noStreet: "neither a street nor a place"
        case .noTown: "neither a town nor a postcode"
        case .noCountry: "no known country"
        case .noPosition: "no position"
        case .notOnEarth: "a position that is not on Earth"
        case .repeated: "the same house as the row before"
        case .malformed: "not readable"
        }
    }
}

/// The country and the coordinates of points, as far as a layout or the user gives them.
struct PointReading {
    /// Longer texts are not names.
    static let longestText = 300

    private let countryCode: String
    private let projection: Projection?
    private let isSouthWest: Bool
    private var last = (text: "", code: "")

    /// `system` is the coordinate system of numbers that are not degrees, or blank.
    init(countryCode: String, system: String) throws(PointTable.Problem) {
        self.countryCode = countryCode
        isSouthWest = system == "EPSG:5514"
        projection = system.isEmpty ? nil : try Projection(from: system)
    }

    mutating func code(_ country: String) throws(PointOmission) -> String {
        if country.isEmpty {
            if countryCode.isEmpty { throw .noCountry }
            return countryCode
        }
        if country != last.text {
            guard let known = Country.meant(by: country) else { throw .noCountry }
            last = (country, known.code)
        }
        return last.code
    }

    func coordinate(x: Double, y: Double) throws(PointOmission) -> Coordinate {
        // RÚIAN leaves out the signs: in this system all of the country is south and west of zero.
        let (x, y) = isSouthWest ? (-abs(x), -abs(y)) : (x, y)
        let (longitude, latitude) = projection?.degrees(x: x, y: y) ?? (x, y)
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude), !coordinate.isNullIsland else {
            throw .notOnEarth
        }
        return coordinate
    }
}
