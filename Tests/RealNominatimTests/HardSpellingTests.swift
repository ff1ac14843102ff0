import Foundation
import HTTP
import Questions
import Testing
import Towns

@testable import Geocoding

/// The results and the cost of addresses in common spellings. This prints the table in docs/confidence.md.
@Suite(.realNominatim, .serialized, .timeLimit(.minutes(10)))
struct HardSpellingTests {
    @Test func `most hard spellings are found with little more than one call, and none in a wrong place`()
        async throws
    {
        let server = try #require(RealNominatim.running)
        let houses = try await server.houses()
        try #require(houses.count > 300)
        let mending = TownMender()
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        var numbers = SeededNumbers(seed: 11)
        var report = SpellingReport()
        let known = try server.searches().count
        let provider = server.provider(client)
        for spelling in [HardSpelling.plain] + HardSpelling.all {
            // As many houses of the small towns as of the city.
            let spelt = ["LI", "FI"].flatMap { country in
                houses.filter { $0.country == country }.shuffled(using: &numbers).lazy
                    .compactMap { house in spelling.spell(house, &numbers).map { (house, $0) } }.prefix(10)
            }
            for (house, address) in spelt {
                let asking = Asking(address, of: provider, mending)
                let (turn, calls) = try await asking.end()
                report.note(spelling, house, turn, calls: calls)
            }
        }
        await client.close()
        report.write()
        #expect(try server.searches().count - known == report.calls)
        #expect(report.hard.total >= 500)
        #expect(Double(report.hard.right) / Double(report.hard.total) >= 0.85)
        #expect(report.wrong == 0)
        let sure = try #require(report.points[9])
        #expect(sure.near * 10 >= sure.all * 9)
        #expect(Double(report.calls) / Double(report.total) <= 1.3)
    }
}

/// A question that is called to its end, like a worker does.
private struct Asking {
    let address: Address
    let provider: any GeocodingProvider
    let mending: any AddressMending

    init(_ address: Address, of provider: any GeocodingProvider, _ mending: any AddressMending) {
        (self.address, self.provider, self.mending) = (address, provider, mending)
    }

    func end() async throws -> (Turn, calls: [LadderStep]) {
        let chain = Chain([.init(provider.name)])
        var question = Question(id: 1, subject: .address(address), chain: chain)
        var calls: [LadderStep] = []
        while true {
            let rung = try #require(question.rung(provider.terms, mending: mending))
            let answer = try await provider.geocode([rung.query])[0]
            calls.append(rung.step)
            let turn = question.turn(after: answer, from: provider.name, provider.terms, mending: mending)
            guard case .goesOn(let next) = turn else { return (turn, calls) }
            question = Question(
                id: 1, subject: .address(address), chain: chain, link: next.link, step: next.step,
                candidates: next.candidates, failure: next.failure)
        }
    }
}

/// The comparison of the answers with the truth.
private struct SpellingReport {
    struct Row {
        /// The house within 100 metres, or its street with the precision of a street.
        var right = 0
        /// The town, with the precision of a town.
        var weak = 0
        /// Located at another place.
        var wrong = 0
        var review = 0
        var none = 0
        var calls = 0

        var total: Int { right + weak + wrong + review + none }

        static func + (one: Row, other: Row) -> Row {
            Row(
                right: one.right + other.right, weak: one.weak + other.weak, wrong: one.wrong + other.wrong,
                review: one.review + other.review, none: one.none + other.none, calls: one.calls + other.calls)
        }
    }

    private var rows: [(spelling: HardSpelling, row: Row)] = []
    private var bands: [Band: (right: Int, all: Int)] = [:]
    /// The points within 200 metres of the house, by tenths of their confidence.
    private(set) var points: [Int: (near: Int, all: Int)] = [:]
    private var steps: [LadderStep: (asked: Int, settled: Int)] = [:]
    private var errors: [String] = []

    struct Band: Hashable {
        let precision: Precision
        let tenths: Int
    }

    var hard: Row {
        rows.filter { $0.spelling.truth == .house && $0.spelling.kind != HardSpelling.plain.kind }.map(\.row).reduce(
            Row(), +)
    }
    private var all: Row { rows.map(\.row).reduce(Row(), +) }
    var wrong: Int { all.wrong }
    var calls: Int { all.calls }
    var total: Int { all.total }

    mutating func note(_ spelling: HardSpelling, _ house: MappedHouse, _ turn: Turn, calls: [LadderStep]) {
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

    /// True if the answer is right at its own precision.
    private static func isRight(_ best: Place, _ house: MappedHouse) -> Bool {
        let place = best.placemark
        switch best.precision {
        case .rooftop, .interpolated: return house.places.contains { $0.distance(to: place.coordinate) <= 100 }
        case .street:
            let isNear = house.places.contains { $0.distance(to: place.coordinate) <= 3_000 }
            return isNear && StreetName(place.thoroughfare ?? "").match(StreetName(house.street)) == .same
                && (place.postalCode == house.postcode
                    || CityName(place.locality ?? "").match(CityName(house.city)) != .different)
        case .postcode: return place.postalCode == house.postcode
        case .city: return CityName(place.locality ?? "").match(CityName(house.city)) == .same
        case .region, .country: return true
        }
    }

    func write() {
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
        case .failed, .goesOn: []
        }
    }
}
