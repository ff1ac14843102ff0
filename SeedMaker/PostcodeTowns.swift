import Geocoding
import Towns

/// The places that only postcodes name: most are villages of fewer than 500 people, and some are parts of towns.
struct PostcodeTowns {
    /// A known town of the same region is the same place, because a postcode's middle may be far from it.
    private static let ofRegion = 150_000.0
    private static let near = 25_000.0
    private static let longestName = 4
    /// Words for post offices and their customers, which are not places.
    private static let offices: Set<Substring> = [
        "gpo", "cpo", "po", "box", "bc", "dc", "crc", "цех", "уч", "пждп", "аопп", "cedex", "university", "college",
        "bank", "cheques",
    ]

    private let known: PlausiblePostcodes

    init(besides known: PlausiblePostcodes) { self.known = known }

    /// One row for each place, in their order.
    func rows(of lines: [[Substring]]) -> [[Substring]] {
        var found: [String: [Coordinate]] = [:]
        return lines.filter { line in
            let key = Folding.loose(String(line[2]))
            guard Self.isPlace(key), !line[2].contains(","),
                let point = PlausiblePostcodes.coordinate(line[5], line[6])
            else { return false }
            let id = "\(line[0])|\(key)"
            let isKnown = (known.towns[id] ?? []).contains { town in
                town.coordinate.distance(to: point) < (town.region == line[3] ? Self.ofRegion : Self.near)
            }
            guard !isKnown, !(found[id] ?? []).contains(where: { $0.distance(to: point) < Self.near }) else {
                return false
            }
            found[id, default: []].append(point)
            return true
        }
    }

    private static func isPlace(_ key: String) -> Bool {
        let words = key.split(separator: " ")
        return key.utf8.count > 2 && words.count <= longestName && !key.contains(where: \.isNumber)
            && !words.contains(where: offices.contains)
    }
}
