import Geocoding
import Towns

/// Leaves out rows of postcodes whose point can't be right.
///
/// A point is wrong if it is far from the large town of the region that the row names. It is also wrong if it is far from
/// all the postcodes before and after it, while these are near each other, and no place there has the row's name.
struct PlausiblePostcodes {
    private static let far = 100_000.0
    /// A large town's postcodes are not farther away than this.
    private static let farFromTown = 60_000.0
    private static let near = 15_000.0
    private static let largeTown = 20_000
    /// How many postcodes before it, and how many after it, a row is compared with.
    private static let neighbours = 4

    private struct Town {
        let region: Substring
        let coordinate: Coordinate
        let population: Int
    }

    /// The places by their country and folded name.
    private var towns: [String: [Town]] = [:]

    init(places: [[Substring]]) {
        for columns in places {
            guard let coordinate = Self.coordinate(columns[6], columns[7]) else { continue }
            let town = Town(region: columns[4], coordinate: coordinate, population: Int(columns[8]) ?? 0)
            for name in [columns[1]] + columns[2].split(separator: "|") {
                towns["\(columns[3])|\(Folding.loose(String(name)))", default: []].append(town)
            }
        }
    }

    /// The rows that are kept, in their order.
    func rows(of lines: [[Substring]]) -> [[Substring]] {
        let points = lines.map { Self.coordinate($0[5], $0[6]) }
        var isWrong = [Bool](repeating: false, count: lines.count)
        let countries = Dictionary(grouping: lines.indices) { lines[$0][0] }
        for rows in countries.values {
            let sorted = rows.sorted { (lines[$0][1], $0) < (lines[$1][1], $1) }
            for (position, row) in sorted.enumerated() {
                guard let point = points[row] else { continue }
                let around = sorted[
                    max(0, position - Self.neighbours)..<min(sorted.count, position + Self.neighbours + 1)
                ]
                .filter { $0 != row }.compactMap { points[$0] }
                isWrong[row] = isWrongPoint(point, lines[row], around)
            }
        }
        return lines.indices.filter { !isWrong[$0] }.map { lines[$0] }
    }

    private func isWrongPoint(_ point: Coordinate, _ line: [Substring], _ around: [Coordinate]) -> Bool {
        let named = towns["\(line[0])|\(Folding.loose(String(line[2])))"] ?? []
        if named.contains(where: { $0.coordinate.distance(to: point) < Self.near }) { return false }
        let large = named.filter { $0.region == line[3] && $0.population > Self.largeTown }
        if !large.isEmpty, large.allSatisfy({ $0.coordinate.distance(to: point) > Self.farFromTown }) { return true }
        guard around.count == 2 * Self.neighbours, around.allSatisfy({ $0.distance(to: point) > Self.far }) else {
            return false
        }
        // Half of the others are near the one that is nearest to them all.
        return around.contains { middle in
            around.count(where: { $0.distance(to: middle) < Self.farFromTown }) > Self.neighbours
        }
    }

    private static func coordinate(_ latitude: Substring, _ longitude: Substring) -> Coordinate? {
        Double(latitude).flatMap { latitude in
            Double(longitude).flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
    }
}
