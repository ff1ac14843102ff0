import Foundation
package import Geocoding
package import Questions

/// The comparison of the answers with the truth.
package struct SpellingReport {
    package struct Row {
        /// The house within 100 metres, or its street with the precision of a street.
        package var right = 0
        /// The town, with the precision of a town.
        package var weak = 0
        /// Located at another place.
        package var wrong = 0
        package var review = 0
        package var none = 0
        package var calls = 0

        package var total: Int { right + weak + wrong + review + none }

        package static func + (one: Row, other: Row) -> Row {
            Row(
                right: one.right + other.right, weak: one.weak + other.weak, wrong: one.wrong + other.wrong,
                review: one.review + other.review, none: one.none + other.none, calls: one.calls + other.calls)
        }
    }

    package init() {}

    private var rows: [(spelling: HardSpelling, row: Row)] = []
    private var bands: [Band: (right: Int, all: Int)] = [:]
    /// The points within 200 metres of the house, by tenths of their confidence.
    package private(set) var points: [Int: (near: Int, all: Int)] = [:]
    private var steps: [LadderStep: (asked: Int, settled: Int)] = [:]
    private var errors: [String] = []

    package struct Band: Hashable {
        package let precision: Precision
        package let tenths: Int
    }

    package var hard: Row {
        rows.filter { $0.spelling.truth == .house && $0.spelling.kind != HardSpelling.plain.kind }.map(\.row).reduce(
            Row(), +)
    }
    /// The number of streets and towns that do not exist and were located as a street or a house.
    package var inventedAndLocated: Int {
        rows.filter { [.town, .nowhere].contains($0.spelling.truth) }.map { $0.row.right + $0.row.wrong }.reduce(0, +)
    }
    private var all: Row { rows.map(\.row).reduce(Row(), +) }
    package var wrong: Int { all.wrong }
    package var calls: Int { all.calls }
    package var total: Int { all.total }

    package mutating func note(_ spelling: HardSpelling, _ house: MappedHouse, _ turn: Turn, calls: [LadderStep]) {
        var row = Row(calls: calls.count)
        for step in calls { steps[step, default: (0, 0)].asked += 1 }
        switch turn {
        case .located(let best):
            switch (Self.isRight(best, house), best.precision) {
            case (true, .rooftop...(.street)) where [.house, .street].contains(spelling.truth):
                // A house that does not exist can only be found as its street.
                if spelling.truth == .house || best.precision == .street { row.right = 1 } else { row.wrong = 1 }
            case (true, .postcode...) where spelling.truth != .nowhere: row.weak = 1
            default: row.wrong = 1
            }
            if let step = best.step { steps[step, default: (0, 0)].settled += 1 }
        case .needsReview: row.review = 1
        default: row.none = 1
        }
        if row.right == 0, row.weak == 0, spelling.truth == .house || row.wrong == 1 {
            errors.append("\(spelling.kind): \(spelling.spell(house, &Self.numbers).map { "\($0)" } ?? "") -> \(turn)")
        }
        for candidate in turn.best {
            let band = Band(precision: candidate.precision, tenths: min(Int(candidate.areaConfidence * 10), 9))
            let isRight = Self.isRight(candidate, house) && spelling.truth != .nowhere
            bands[band, default: (0, 0)].all += 1
            if isRight { bands[band, default: (0, 0)].right += 1 }
            let tenths = min(Int(candidate.confidence * 10), 9)
            points[tenths, default: (0, 0)].all += 1
            let isNear = house.places.contains { $0.distance(to: candidate.placemark.coordinate) <= 200 }
            if isNear, spelling.truth != .nowhere { points[tenths, default: (0, 0)].near += 1 }
        }
        if let last = rows.indices.last, rows[last].spelling.kind == spelling.kind {
            rows[last].row = rows[last].row + row
        } else {
            rows.append((spelling, row))
        }
    }

    nonisolated(unsafe) private static var numbers = SeededNumbers(seed: 1)

    private static func isSame(_ name: String?, _ other: String) -> Bool {
        Folding.loose(name ?? "") == Folding.loose(other)
    }

    /// True if the answer is right at its own precision.
    private static func isRight(_ best: Place, _ house: MappedHouse) -> Bool {
        let place = best.placemark
        switch best.precision {
        case .rooftop, .interpolated: return house.places.contains { $0.distance(to: place.coordinate) <= 100 }
        case .street:
            let isNear = house.places.contains { $0.distance(to: place.coordinate) <= 3_000 }
            return isNear && isSame(place.thoroughfare, house.street)
                && (place.postalCode == house.postcode
                    || isSame(place.locality, house.city))
        case .postcode: return place.postalCode == house.postcode
        case .city: return isSame(place.locality, house.city)
        case .region, .country: return true
        }
    }

    package func write() {
        func line(_ kind: String, _ row: Row) {
            let calls = String(format: "%.2f", Double(row.calls) / Double(max(row.total, 1)))
            print(
                "| \(kind) | \(row.total) | \(row.right) | \(row.weak) | \(row.wrong) | \(row.review) | \(row.none) | \(calls) |"
            )
        }
        print("| spelling | addresses | right | town only | wrong | review | none | calls each |")
        for (spelling, row) in rows { line(spelling.kind, row) }
        line("hard spellings", hard)
        line("all", all)
        print("| precision | area confidence | answers | right |")
        for (band, count) in bands.sorted(by: {
            ($0.key.precision, -$0.key.tenths) < ($1.key.precision, -$1.key.tenths)
        }) {
            print("| \(band.precision.rawValue) | 0.\(band.tenths) | \(count.all) | \(count.right) |")
        }
        print("| confidence | answers | within 200 m |")
        for (tenths, count) in points.sorted(by: { $0.key > $1.key }) {
            print("| 0.\(tenths) | \(count.all) | \(count.near) |")
        }
        for (step, count) in steps.sorted(by: { $0.key < $1.key }) {
            print("| \(step.rawValue) | \(count.asked) | \(count.settled) |")
        }
        if ProcessInfo.processInfo.environment["SHOW_ERRORS"] != nil { errors.forEach { print($0) } }
    }
}

extension Turn {
    /// The answer, or the candidates for a review.
    fileprivate var best: [Place] {
        switch self {
        case .located(let best): [best]
        case .needsReview(let candidates), .notFound(let candidates): Array(candidates.prefix(1))
        case .provisional(let end, _): end.best
        case .failed, .goesOn: []
        }
    }
}
