package import Geocoding

/// The towns and postcodes of GeoNames, in memory.
package struct Gazetteer: Sendable {
    package static let shared = Gazetteer(TownImage.shared)

    let image: TownImage
    var places: UnsafePointer<StoredPlace> { image.pointer(to: .places) }
    var postcodes: UnsafePointer<StoredPostcode> { image.pointer(to: .postcodes) }
    var regions: UnsafePointer<StoredRegion> { image.pointer(to: .regions) }

    package init(_ image: TownImage) { self.image = image }

    /// Towns with this name, those with the most people first.
    func towns(called key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<StoredKey> {
        KeyTable(image, slots: .nameSlots, entries: .names).rows(of: key)
    }

    /// The places that have this postcode, in any country.
    func places(withPostcode key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<StoredKey> {
        KeyTable(image, slots: .postcodeSlots, entries: .postcodeKeys).rows(of: key)
    }

    /// The regions with this name or code.
    func regions(called key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<StoredKey> {
        KeyTable(image, slots: .regionSlots, entries: .regionKeys).rows(of: key)
    }
}

extension StoredKey {
    /// The row of the place that has this name.
    var place: Int { Int(row & ~(Self.otherName | Self.shortName | Self.postcodeName)) }
    var isMainName: Bool { row & (Self.otherName | Self.shortName) == 0 }
    var isShortName: Bool { row & Self.shortName != 0 }
    var isPostcodeName: Bool { row & Self.postcodeName != 0 }
}

extension StoredPlace {
    var coordinate: Position { Position(latitude, longitude) }
}

extension StoredPostcode {
    var coordinate: Position { Position(latitude, longitude) }
}

/// A position that can be compared with others nearby: fast, and exact to one percent within some hundred kilometres.
struct Position: Hashable {
    let latitude: Double
    let longitude: Double

    init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }

    init(_ latitude: Int32, _ longitude: Int32) {
        self.init(latitude: Double(latitude) / 100_000, longitude: Double(longitude) / 100_000)
    }

    /// The distance in metres.
    func distance(to other: Position) -> Double {
        let height = (other.latitude - latitude) * 111_195
        var turn = abs(other.longitude - longitude)
        if turn > 180 { turn = 360 - turn }
        let width = turn * 111_320 * cosine(of: (latitude + other.latitude) / 2)
        return (height * height + width * width).squareRoot()
    }

    /// The cosine of an angle in degrees, as a polynomial, so that no C library is needed.
    private func cosine(of degrees: Double) -> Double {
        let x = degrees * .pi / 180
        let square = x * x
        return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
    }
}

extension Gazetteer {
    /// The positions of the towns with exactly this name, those with the most people first.
    package func towns(called name: String) -> [(coordinate: Coordinate, country: String)] {
        Array(Folding.loose(name).utf8).withUnsafeBufferPointer { towns(called: $0) }.filter { !$0.isShortName }
            .compactMap { row in
                let place = places[row.place]
                return Coordinate(latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
                    .map { ($0, CountryKey(place.country).code) }
            }
    }

    /// The middle of the town of a placemark, by its name.
    package func centre(of place: Placemark) -> Coordinate? {
        guard let name = place.locality else { return nil }
        let known = towns(called: name).filter { $0.country == place.countryCode }
        let near = known.map { (at: $0.coordinate, distance: $0.coordinate.distance(to: place.coordinate)) }
        return near.min { $0.distance < $1.distance }.flatMap { $0.distance < 50_000 ? $0.at : nil }
    }

    /// The town in the middle of a country, or of its region with this name; nil if there is none.
    package func middle(ofCountry code: String, region name: String? = nil) -> Coordinate? {
        let country = CountryKey(code).value
        guard let name else { return Self.middles.countries[country] }
        let rows = Array(Folding.loose(name).utf8).withUnsafeBufferPointer { regions(called: $0).map(\.row) }
        return rows.first { regions[Int($0)].country == UInt32(country) }.flatMap { Self.middles.regions[$0] }
    }

    /// Made once, because it is a pass over all towns.
    private static let middles: (countries: [UInt16: Coordinate], regions: [UInt32: Coordinate]) = {
        let towns = (0..<shared.image.count(of: .places)).map { shared.places[$0] }
        func middle(_ towns: [StoredPlace]) -> Coordinate? {
            let (north, east) = (towns.map(\.latitude).sorted(), towns.map(\.longitude).sorted())
            let (latitude, longitude) = (north[north.count / 2], east[east.count / 2])
            let distances = towns.map { $0.coordinate.distance(to: Position(latitude, longitude)) }
            guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }) else { return nil }
            let middle = towns[nearest].coordinate
            return Coordinate(latitude: middle.latitude, longitude: middle.longitude)
        }
        return (
            Dictionary(grouping: towns, by: \.country).compactMapValues(middle),
            Dictionary(grouping: towns) { UInt32($0.region) }.compactMapValues(middle)
        )
    }()

    /// Every town, with its name and its country's code.
    package var towns: [(name: String, country: String)] {
        (0..<image.count(of: .places)).map {
            (name: image.string(at: places[$0].name), country: CountryKey(places[$0].country).code)
        }
    }
}
