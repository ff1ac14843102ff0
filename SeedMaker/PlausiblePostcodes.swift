import Foundation
import Geocoding
import Towns

/// Leaves out rows of postcodes whose point can't be right.
///
/// A point is wrong if it is far from the large town that the row names, or from all places of the row's region. It is
/// also wrong if it is far from all the postcodes before and after it, while these are near each other, and no place
/// there has the row's name.
struct PlausiblePostcodes {
    private static let far = 100_000.0
    /// A large town's postcodes are not farther away than this.
    private static let farFromTown = 60_000.0
    private static let near = 15_000.0
    private static let largeTown = 20_000
    /// How many postcodes before it, and how many after it, a row is compared with.
    private static let neighbours = 4

    struct Town {
        let region: Substring
        let regionName: Substring
        let coordinate: Coordinate
        let population: Int
    }

    /// The places by their country and folded name.
    private(set) var towns: [String: [Town]] = [:]
    /// The towns with their region's name, by country and region code.
    private(set) var capitals: [String: Town] = [:]
    /// The regions with places, and the cells of the Earth in which each has some.
    private var regions: Set<String> = []
    private var cells: Set<String> = []

    init(places: [[Substring]]) {
        for columns in places {
            guard let coordinate = Self.coordinate(columns[6], columns[7]) else { continue }
            let town = Town(
                region: columns[4], regionName: columns[5], coordinate: coordinate, population: Int(columns[8]) ?? 0)
            let id = "\(columns[3])|\(columns[4])"
            if Folding.loose(String(columns[1])) == Folding.loose(String(columns[5])),
                town.population > capitals[id]?.population ?? -1
            {
                capitals[id] = town
            }
            regions.insert("\(columns[3])|\(columns[4])")
            let (row, column) = Self.cell(of: coordinate)
            cells.insert("\(columns[3])|\(columns[4])|\(row)|\(column)")
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
        let near = named.filter { $0.coordinate.distance(to: point) < Self.near }
        if near.contains(where: { $0.region == line[3] }) { return false }
        // Villages of thinly settled regions are far from all places. A namesake in another region is nearer.
        if regions.contains("\(line[0])|\(line[3])"), !isInRegion(point, line, cells: near.isEmpty ? 3 : 1) {
            return true
        }
        if !near.isEmpty { return false }
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

    /// Returns whether a place of the row's region is in the cell of the point or in that many around it.
    private func isInRegion(_ point: Coordinate, _ line: [Substring], cells reach: Int) -> Bool {
        let (row, column) = Self.cell(of: point)
        return (row - reach...row + reach).contains { row in
            (column - reach...column + reach).contains { cells.contains("\(line[0])|\(line[3])|\(row)|\($0)") }
        }
    }

    /// Cells of 80 km.
    private static func cell(of point: Coordinate) -> (row: Int, column: Int) {
        let row = Int((point.latitude / 0.72).rounded(.down))
        let width = cos((Double(row) + 0.5) * 0.72 * .pi / 180)
        return (row, Int((point.longitude * width / 0.72).rounded(.down)))
    }

    static func coordinate(_ latitude: Substring, _ longitude: Substring) -> Coordinate? {
        Double(latitude).flatMap { latitude in
            Double(longitude).flatMap { Coordinate(latitude: latitude, longitude: $0) }
        }
    }
}
