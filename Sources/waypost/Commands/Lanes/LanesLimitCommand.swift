import Queue
import Terminal

struct LanesLimitCommand: ChangingCommand {
    static let name = "limit"
    static let summary = "Set the limits of a lane, at once and for the whole cluster."
    static let discussion = """
        A rate is a number of calls in a time: 20/s, 300/min, 2500/d, 1/2s. Several may hold at once. A burst is how \
        many calls may come together; by default a twenty-fifth of them, or those of a tenth of a second. \
        In any window of t seconds the provider sees at most burst + rate × t calls:

          waypost lanes limit nominatim 1/s
          waypost lanes limit census 20/s:burst=5 300/min
        """

    @Argument("LANE", "The lane.") var lane: String
    @Argument("RATE", "The new limits; they replace all others.") var rates: [RateLimit] = []
    @Flag("--none", "Remove all limits.") var none

    func run() async throws {
        if rates.isEmpty, !none { throw UsageError("give one RATE or more, or --none") }
        if !rates.isEmpty, none { throw UsageError("a RATE and --none contradict each other") }
        if rates.hasTwoForOneTime { throw UsageError("two RATEs are for the same time; give one") }
        let state = try await Application.asking(.folder) { [lane, rates] app, db in
            try app.queue.setLimits(rates, of: lane, by: .current, on: db)
            return try app.queue.lane(lane, on: db)
        }
        Screen.output.writeLine(
            state.limits.isEmpty ? "\(lane) has no limits now." : "\(lane) is limited to \(state.limits.text) now.")
    }
}

extension RateLimit: OptionValue {
    package init?(word: String) { self.init(text: word) }
    package var word: String { text }
    package static var placeholder: String { "RATE" }
    package static var expectation: String {
        "a rate like 20/s, 300/min, 2500/d or 1/2s, perhaps with :burst=5; at least a call in ten years, at most 1e9 in a second"
    }
}
