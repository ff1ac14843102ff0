import Geocoding
import Towns

/// Moves rows of postcodes to the town that they name, if their point is at another place of that name.
///
/// The first two digits of a postcode belong to one part of a country. A row that lies far from the others with these
/// digits is moved to the town of its name among them.
struct MisplacedPostcodes {
    private typealias Town = PlausiblePostcodes.Town

    private static let fewest = 6
    private static let least = 40_000.0
    private static let near = 15_000.0
    /// A town with this many times the people of its namesake is meant.
    private static let timesLarger = 100
    /// The countries in which the first two digits are of one region, whose villages have namesakes in others.
    private static let ofOneRegion: Set<Substring> = ["UA"]
    /// Groups in which most rows are in another region than they belong to: villages around Kyiv.
    private static let regions = ["UA|07": "13", "UA|08": "13", "UA|09": "13"]

    private let known: PlausiblePostcodes

    init(_ known: PlausiblePostcodes) { self.known = known }

    /// The rows in their order, without those that belong to no place.
    func rows(of lines: [[Substring]]) -> [[Substring]] {
        let groups = Dictionary(grouping: lines) { Self.group(of: $0) }.mapValues(Surroundings.init)
        return lines.compactMap { line in
            // The points of ZIP codes are exact, and villages have namesakes.
            guard line[0] != "US", let point = PlausiblePostcodes.coordinate(line[5], line[6]),
                let around = groups[Self.group(of: line)]
            else { return line }
            if let capital = capital(of: line, around) { return Self.moved(line, to: capital) }
            let named = known.towns[Self.id(line[0], String(line[2]))] ?? []
            let here = named.filter { $0.coordinate.distance(to: point) < Self.near }.map(\.population).max()
            if let large = named.filter({ $0.region == line[3] }).max(by: { $0.population < $1.population }), let here,
                large.population > Self.timesLarger * (here + 100), large.coordinate.distance(to: point) > Self.least
            {
                return Self.moved(line, to: large)
            }
            if Self.ofOneRegion.contains(line[0]) {
                let region = Self.regions[Self.group(of: line)] ?? String(around.region)
                if region == line[3] { return line }
                let meant = named.filter { $0.region == region }.max { $0.population < $1.population }
                return meant.map { Self.moved(line, to: $0) }
            }
            guard around.isFar(point) else { return line }
            let meant = named.filter { !around.isFar($0.coordinate) }.max { $0.population < $1.population }
            if let meant, here.map({ meant.population > 10 * ($0 + 100) }) ?? true {
                return Self.moved(line, to: meant)
            }
            return line
        }
    }

    /// The postcodes with the same first digits.
    private struct Surroundings {
        private let middle: Coordinate?
        private let reach: Double
        /// The region of most of them.
        let region: Substring

        init(_ lines: [[Substring]]) {
            let points = lines.compactMap { PlausiblePostcodes.coordinate($0[5], $0[6]) }
            func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
            let counts = Dictionary(grouping: lines, by: { $0[3] }).mapValues(\.count)
            region = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? ""
            middle =
                points.count < fewest
                ? nil : Coordinate(latitude: median(points.map(\.latitude)), longitude: median(points.map(\.longitude)))
            reach = middle.map { middle in max(least, 4 * median(points.map { $0.distance(to: middle) })) } ?? .infinity
        }

        func isFar(_ point: Coordinate) -> Bool { middle.map { $0.distance(to: point) > reach } ?? false }
    }

    /// In Thailand a number that ends in 000 belongs to the capital of a province, which has the province's name.
    private func capital(of line: [Substring], _ around: Surroundings) -> Town? {
        guard line[0] == "TH", line[1].hasSuffix("000"), line[1] != "10000" else { return nil }
        return known.capitals["TH|\(around.region)"]
    }

    private static func group(of line: [Substring]) -> String {
        "\(line[0])|\(line[1].filter { $0 != " " && $0 != "-" }.prefix(2))"
    }

    private static func id(_ country: Substring, _ name: String) -> String { "\(country)|\(Folding.loose(name))" }

    private static func moved(_ line: [Substring], to town: Town) -> [Substring] {
        let (latitude, longitude) = (town.coordinate.latitude, town.coordinate.longitude)
        return [line[0], line[1], line[2], town.region, town.regionName, "\(latitude)", "\(longitude)"]
    }
}
