import Queue
import Terminal

struct LanesSetCommand: ChangingCommand {
    static let name = "set"
    static let summary = "Change settings of a lane other than its limits, at once and for the whole cluster."

    @Argument("LANE", "The lane.") var lane: String
    @Option("--batch", "N", "How many questions one call carries; waiting jobs stay as they are.", in: 1...100_000)
    var batch: Int?
    @Option("--calls-at-once", "N|none", "Calls under way, of all workers together.") var callsAtOnce: Cap?
    @Option("--calls-per-worker", "N|none", "Calls under way, of one worker.") var callsPerWorker: Cap?
    @Option(
        "--grace", "How late a call may start; it costs burst, not rate.", in: Duration.zero...Duration.seconds(1))
    var grace: Duration?
    @Option("--call-limit", "A call that takes longer has failed.", in: Duration.milliseconds(1)...) var callLimit:
        Duration?
    @Option("--most-failures", "N", "A job is dead after so many failures.", in: 1...1_000) var mostFailures: Int?
    @Option("--first-retry", "The longest wait before the first retry; it doubles.", in: Duration.milliseconds(1)...)
    var firstRetry: Duration?
    @Option("--longest-retry", "The longest wait before any retry.", in: Duration.milliseconds(1)...)
    var longestRetry: Duration?
    @Option("--breaker-after", "N", "Stop calls after so many failures in a row.", in: 1...1_000)
    var breakerAfter: Int?
    @Option("--price", "PRICE|none", "The cost of 1,000 calls, such as '5 USD'; used in forecasts.") var price:
        PriceTag?

    func run() async throws {
        let nothing =
            batch == nil && callsAtOnce == nil && callsPerWorker == nil && grace == nil && callLimit == nil
            && mostFailures == nil && firstRetry == nil && longestRetry == nil && breakerAfter == nil && price == nil
        if nothing { throw UsageError("give an option, for example --calls-at-once 4") }
        let state = try await Application.asking(.folder) { [self] app, db in
            try app.queue.change(lane, by: .current, on: db) { settings in apply(to: &settings) }
            return try app.queue.lane(lane, on: db)
        }
        state.write(to: .output)
    }

    private func apply(to settings: inout LaneSettings) {
        settings.batch = batch ?? settings.batch
        if let callsAtOnce { settings.callsAtOnce = callsAtOnce.calls }
        if let callsPerWorker { settings.callsPerWorker = callsPerWorker.calls }
        settings.grace = grace ?? settings.grace
        settings.callLimit = callLimit ?? settings.callLimit
        settings.mostFailures = mostFailures ?? settings.mostFailures
        settings.firstRetry = firstRetry ?? settings.firstRetry
        settings.longestRetry = longestRetry ?? settings.longestRetry
        settings.breakerAfter = breakerAfter ?? settings.breakerAfter
        if let price { settings.price = price.price }
    }
}

/// A bound on calls, or `unlimited`.
enum Cap: OptionValue {
    case calls(Int)
    case unlimited

    init?(word: String) {
        if word == "none" {
            self = .unlimited
        } else if let calls = Int(word), (1...1_000_000).contains(calls) {
            self = .calls(calls)
        } else {
            return nil
        }
    }

    var calls: Int? { if case .calls(let calls) = self { calls } else { nil } }
    var word: String { calls.map(String.init) ?? "none" }
    static var placeholder: String { "N|none" }
    static var expectation: String { "a whole number from 1 up, or none" }
}

/// A price, or `unknown`.
enum PriceTag: OptionValue {
    case price(Price)
    case unknown

    init?(word: String) {
        if word == "none" {
            self = .unknown
        } else if let price = Price(text: word) {
            self = .price(price)
        } else {
            return nil
        }
    }

    var price: Price? { if case .price(let price) = self { price } else { nil } }
    var word: String { price?.text ?? "none" }
    static var placeholder: String { "PRICE|none" }
    static var expectation: String { "an amount and a currency, like '5 USD', or none" }
}
