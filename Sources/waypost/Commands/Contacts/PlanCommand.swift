import Formats
import Glibc
import Questions
import Queue
import Terminal

struct PlanCommand: Command {
    static let name = "plan"
    static let summary = "Tell how long geocoding a file takes, what it costs, and what limits it."
    static let discussion = """
        Nothing is asked and nothing is stored. The file is read, known addresses are left out, and a simulation of lanes and \
        workers does the rest: with the limits and prices of the lanes, with calls as long as the latest ones were, and with \
        questions that go along their chain as the latest ones did. What is not known yet is assumed, and said. Options try \
        what is not so yet:

          waypost plan contacts.csv
          waypost plan contacts.csv --workers 8 --limit nominatim=10/s --price nominatim="0.5 EUR"

        It takes for granted that providers stay as they are, and that no other work is added.
        """

    @Argument("FILE", "The file of contacts.", completion: .files) var file: String
    let reading = SourceOptions()
    @Option("--account", "NAME", "The account that owns the contacts; by default one named after the file.")
    var account: String?
    @Option("--workers", "N", "Workers; by default as many as run now.", in: 1...1_000) var workers: Int?
    @Option(
        "--calls-at-once", "N", "Calls that a worker holds in a lane; by default WAYPOST_CALLS_AT_ONCE.", in: 1...1_000)
    var callsAtOnce: Int?
    @Option("--limit", "LANE=RATE", "Other limits of a lane; several for one lane hold at once.")
    var limits: [ForLane<RateLimit>] = []
    @Option("--price", "LANE=PRICE", "Another price of 1,000 calls of a lane: nominatim=\"5 EUR\".")
    var prices: [ForLane<Price>] = []
    @Option("--latency", "LANE=TIME", "Another length of a lane's calls: nominatim=300ms.")
    var latencies: [ForLane<Duration>] = []
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        if file == "-" { throw UsageError("plan is for a file, and this is standard input") }
        if access(file, F_OK) != 0 { throw FileError(file: file, problem: "no such file") }
        let fileName = file.split(separator: "/").last.map(String.init) ?? file
        let work = ForecastWork(source: try reading.source(file), account: account ?? fileName, wishes: wishes)
        let report = try await Application.withDatabase { try await work.run(in: $0) }
        report.show(asJSON: json)
    }

    private var wishes: Wishes {
        var wishes = Wishes()
        (wishes.workers, wishes.callsAtOnce) = (workers, callsAtOnce)
        wishes.limits = Dictionary(grouping: limits, by: \.lane).mapValues { $0.map(\.value) }
        wishes.prices = Dictionary(prices.map { ($0.lane, $0.value) }) { _, last in last }
        wishes.latencies = Dictionary(latencies.map { ($0.lane, $0.value) }) { _, last in last }
        return wishes
    }
}

/// A value for one lane: `nominatim=1/s`.
struct ForLane<Value: OptionValue>: OptionValue {
    let lane: String
    let value: Value

    init?(word: String) {
        guard let sign = word.firstIndex(of: "="), sign > word.startIndex,
            let value = Value(word: String(word[word.index(after: sign)...]))
        else { return nil }
        (lane, self.value) = (String(word[..<sign]), value)
    }

    var word: String { "\(lane)=\(value.word)" }
    static var placeholder: String { "LANE=\(Value.placeholder)" }
    static var expectation: String { "a lane, = and \(Value.expectation)" }
}

extension Price: OptionValue {
    init?(word: String) { self.init(text: word) }
    var word: String { text }
    static var placeholder: String { "PRICE" }
    static var expectation: String { "an amount and a currency, such as '5 USD'" }
}
