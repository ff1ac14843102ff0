import Geocoding
import Towns

/// The districts whose names no place nearby has.
struct Districts {
    /// A town of that name is the same place.
    private static let near = 25_000.0
    /// A city of that name in its region is meant instead: Bandung, not the regency around it.
    private static let around = 60_000.0
    private static let city = 20_000

    private let known: PlausiblePostcodes

    init(besides known: PlausiblePostcodes) { self.known = known }

    /// The rows with a name that is not known, in their order, and with these names only.
    func rows(of lines: [[Substring]]) -> [[Substring]] {
        lines.compactMap { line in
            guard let point = PlausiblePostcodes.coordinate(line[6], line[7]) else { return nil }
            let names = ([line[1]] + line[2].split(separator: "|")).filter { name in
                let towns = known.towns["\(line[3])|\(Folding.loose(String(name)))"] ?? []
                return !towns.contains { town in
                    let distance = town.coordinate.distance(to: point)
                    return distance < Self.near
                        || distance < Self.around && town.region == line[4] && town.population > Self.city
                }
            }
            guard let first = names.first else { return nil }
            return [line[0], first, names.dropFirst().joined(separator: "|")[...]] + line[3...]
        }
    }
}
