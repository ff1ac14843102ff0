import Foundation
import Geocoding
import Questions
import Towns

/// The cost of each step for an address on one core, without a database: reading the line, the two keys, the search,
/// the grading. Also prints a checksum of all answers: after making a step faster, it shows that no answer has changed.
enum StagesBenchmark {
    static func run(_ options: Options) async throws {
        let places = try TruthPlace.read(folder: options.text("truth") ?? "Benchmarks/truth")
        let gazetteer = Gazetteer.shared
        print(title("µs an address") + "     rows    line    hash   loose  search    turn  answers")
        for form in QualityForm.allCases {
            let rows = places.compactMap { form.row(of: $0) }
            measure(form.rawValue, rows, in: gazetteer)
        }
        let towns = gazetteer.towns
        let houses = (1...20_000).map { number in
            let town = towns[(1 + number * 7919) % towns.count]
            return ["\(number) Main Street", town.name, "", "", town.country]
        }
        measure("houses in columns", houses, in: gazetteer)
        let lines = houses.map { ["\($0[0]), \($0[1]), \(Country($0[4])?.name ?? "")"] }
        measure("houses on a line", lines, in: gazetteer)
    }

    private static func measure(_ name: String, _ rows: [[String]], in gazetteer: Gazetteer) {
        let isLine = rows.first?.count == 1
        var addresses: [Address] = []
        let reading = fastest(of: rows.count) {
            addresses = rows.map { row in
                isLine
                    ? gazetteer.read(line: row[0])
                    : Address(street: row[0], city: row[1], region: row[2], postcode: row[3], country: row[4])
            }
        }
        let hashing = fastest(of: rows.count) { for address in addresses { consume(AddressHash(address).hashValue) } }
        let loose = fastest(of: rows.count) { for address in addresses { consume(LooseKey(address).value) } }
        var found: [[Candidate]] = []
        let searching = fastest(of: rows.count) { found = addresses.map { gazetteer.search($0) } }
        let questions = addresses.enumerated().map { number, address in
            Question(id: number, subject: .address(address), chain: chain)
        }
        var turns: [Turn] = []
        let turning = fastest(of: rows.count) {
            turns = zip(questions, found).map { question, candidates in
                question.turn(after: candidates.isEmpty ? .notFound : .found(candidates), from: "gazetteer", terms)
            }
        }
        var sum = SHA256Sum()
        for (question, (candidates, turn)) in zip(questions, zip(found, turns)) {
            sum.add("\(question.subject) \(candidates) \(turn) \(LooseKey(addresses[question.id]).value)")
            if case .needsReview(let all) = turn {
                sum.add(Doubt.words(for: all, of: question.subject, isChoice: true))
            }
        }
        let figures = [isLine ? reading : 0, hashing, loose, searching, turning].map { figure in
            let text = "\((figure * 10).rounded() / 10)"
            return String(repeating: " ", count: max(0, 8 - text.count)) + text
        }
        print(title(name) + column(Double(rows.count)) + figures.joined() + "  " + sum.text)
    }

    private static let chain = Chain([Chain.Link("gazetteer")])

    private static let terms = ProviderTerms(batch: 500, forms: [.structured], canReverse: true, finest: .postcode)

    /// µs for one of `count`, in the best of several runs.
    private static func fastest(of count: Int, _ body: () -> Void) -> Double {
        let times = (0..<5).map { _ in
            let start = threadTime()
            body()
            return (threadTime() - start) * 1e6
        }
        return (times.min() ?? 0) / Double(max(1, count))
    }

    /// Keeps the optimiser from removing the work that made `value`.
    @inline(never)
    private static func consume(_ value: Int) {}
}

/// A checksum of texts.
private struct SHA256Sum {
    private var state: [UInt8] = []

    mutating func add(_ text: String) {
        let digest = SHA256.digest(of: state + Array(text.utf8))
        state = digest.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    var text: String { state.prefix(6).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined() }
}
