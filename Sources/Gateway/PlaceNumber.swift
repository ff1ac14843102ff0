package import Geocoding

/// The number of a place: the type and the id of OpenStreetMap, or of our own.
///
/// Most of our places are not objects of OpenStreetMap, and programs want a number that stays the same and that
/// `lookup` accepts. So a number of our own contains the kind of the place and its coordinate to a metre. No object of
/// OpenStreetMap has so large an id, and each fits in the 53 bits that JavaScript keeps of a number.
package struct PlaceNumber: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case node, way, relation

        package var letter: Character { rawValue.first?.uppercased().first ?? "N" }
    }

    package let kind: Kind
    package let id: Int

    package init(_ kind: Kind, _ id: Int) { (self.kind, self.id) = (kind, id) }

    /// Our own number of a place.
    package init(_ kind: PlaceKind, at place: Coordinate, country: String?) {
        let (type, rank) = Self.ranks[kind] ?? (.node, 1)
        let code = country.flatMap(Self.number(ofCountry:))
        let latitude = kind == .country && code != nil ? Self.ofCountry : Self.units(place.latitude, 90)
        let longitude = kind == .country ? code ?? Self.units(place.longitude, 180) : Self.units(place.longitude, 180)
        self.init(type, rank << 51 | latitude << 26 | longitude)
    }

    /// The place that a number of our own stands for.
    package var own: (kind: PlaceKind, subject: Subject)? {
        let (rank, latitude, longitude) = (id >> 51, id >> 26 & 0x1FF_FFFF, id & 0x3FF_FFFF)
        guard let kind = Self.ranks.first(where: { $0.value == (self.kind, rank) })?.key else { return nil }
        if latitude == Self.ofCountry {
            return Self.country(longitude).map { (kind, .country($0)) }
        }
        let place = Coordinate(
            latitude: Double(latitude) / Self.perDegree - 90, longitude: Double(longitude) / Self.perDegree - 180)
        return place.map { (kind, .coordinate($0)) }
    }

    package enum Subject: Hashable, Sendable {
        case coordinate(Coordinate)
        case country(String)
    }

    /// Never changed: programs keep the numbers.
    private static let ranks: [PlaceKind: (Kind, Int)] = [
        .house: (.node, 1), .part: (.node, 2), .street: (.way, 1), .town: (.relation, 1), .postcode: (.way, 2),
        .county: (.relation, 3), .region: (.relation, 2), .country: (.way, 3),
    ]
    private static let perDegree = 100_000.0
    /// Above each latitude.
    private static let ofCountry = 0x1FF_FFFF

    private static func units(_ degrees: Double, _ most: Double) -> Int {
        Int(((degrees + most) * perDegree).rounded())
    }

    private static func number(ofCountry code: String) -> Int? {
        let letters = code.utf8.map { Int($0) - 0x41 }
        guard letters.count == 2, letters.allSatisfy((0..<26).contains) else { return nil }
        return letters[0] * 26 + letters[1]
    }

    private static func country(_ number: Int) -> String? {
        guard (0..<26 * 26).contains(number) else { return nil }
        return String(decoding: [UInt8(0x41 + number / 26), UInt8(0x41 + number % 26)], as: UTF8.self)
    }

    /// `R48`, as `lookup` takes it.
    package init?(_ text: Substring) {
        guard let letter = text.first?.uppercased().first,
            let kind = Kind.allCases.first(where: { $0.letter == letter }),
            text.utf8.count < 20, text.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let id = Int(text.dropFirst())
        else { return nil }
        self.init(kind, id)
    }
}
