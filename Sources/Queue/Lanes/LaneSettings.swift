import Postgres

/// The settings of a lane that a person decides, except its limits.
package struct LaneSettings: Hashable, Sendable {
    /// The most subjects in one call.
    package var batch = 1

    /// The most calls at once, by all workers together and by one worker. Nil: as many as the workers have room for.
    package var callsAtOnce: Int?
    package var callsPerWorker: Int?

    /// On how many machines workers may make its calls. Nil: any number.
    package var machines: Int?

    /// How late a call may start after its slot.
    package var grace = Duration.milliseconds(10)

    /// A call that takes longer has failed.
    package var callLimit = Duration.seconds(60)

    /// A job with this many failures is dead.
    package var mostFailures = 5

    /// The wait before a retry doubles from the first to the longest.
    package var firstRetry = Duration.seconds(1)
    package var longestRetry = Duration.seconds(300)

    /// This many failed calls in a row open the breaker.
    package var breakerAfter = 5

    /// The price of its calls; nil if no price was set.
    package var price: Price?

    package init() {}
}

/// One setting of a lane: its column, its bounds and its help.
///
/// The command line, the API and its description, the audit log and the SQL below read the list ``all``. A new setting
/// is a column of `lanes`, a property above, and a line here.
package struct LaneSetting: Sendable {
    package static let all = [
        batch,
        count("calls_at_once", \.callsAtOnce, "Calls under way, of all workers together."),
        count("calls_per_worker", \.callsPerWorker, "Calls under way, of one worker."),
        count("machines", \.machines, in: 1...1_000, "Machines whose workers make calls; those that came first."),
        time(
            "grace", \.grace, in: .zero ... .seconds(1), example: .milliseconds(100),
            "How late a call may start; it costs burst, not rate."),
        time(
            "call_limit", \.callLimit, in: .milliseconds(1) ... .seconds(86_400), example: .seconds(30),
            "A call that takes longer has failed."),
        // A lane of uploads has 32767: the locations that a sink refuses now are tried again for as long as they exist.
        count("most_failures", \.mostFailures, in: 1...32_767, example: 8, "A job is dead after this many failures."),
        time(
            "first_retry", \.firstRetry, in: retries, example: .seconds(2),
            "The longest wait before the first retry; it doubles."),
        time(
            "longest_retry", \.longestRetry, in: retries, example: .seconds(600), "The longest wait before any retry."),
        count(
            "breaker_after", \.breakerAfter, in: 1...1_000, example: 5,
            "Stop calls after this many failures in a row."),
        LaneSetting(
            column: "price", help: "The cost of 1,000 calls, such as '5 USD'; used in forecasts.",
            values: .price(upTo: 1e9), example: .price(Price(per1000Calls: 5, currency: "EUR")),
            read: { .price($0.price) },
            set: { settings, value in if case .price(let price) = value { settings.price = price } }),
    ]

    package static let batch = count(
        "batch", \.batch, in: batches, example: 500,
        "The most subjects of one call. Waiting jobs are not changed.")

    package static let batches = 1...100_000

    private static let retries = Duration.milliseconds(1) ... .seconds(31_622_400)

    /// The permitted values.
    package enum Values: Sendable {
        case count(ClosedRange<Int>, canBeNone: Bool)
        case time(ClosedRange<Duration>)
        /// A price can be none too.
        case price(upTo: Double)
    }

    package enum Value: Hashable, Sendable {
        case count(Int?)
        case time(Duration)
        case price(Price?)
    }

    /// The column of `lanes`, and the name in the audit log.
    package let column: String
    package let help: String
    package let values: Values
    package let example: Value
    package let read: @Sendable (LaneSettings) -> Value
    package let set: @Sendable (inout LaneSettings, Value) -> Void

    /// The name as a member of a JSON object. Times are numbers of seconds.
    package var member: String { if case .time = values { column + "_seconds" } else { column } }

    package func permits(_ value: Value) -> Bool {
        switch (values, value) {
        case (.count(let range, let canBeNone), .count(let count)): count.map(range.contains) ?? canBeNone
        case (.time(let range), .time(let time)): range.contains(time)
        case (.price(let most), .price(let price)): price.map { $0.per1000Calls <= most } ?? true
        default: false
        }
    }

    private static func count(
        _ column: String, _ path: any WritableKeyPath<LaneSettings, Int> & Sendable, in range: ClosedRange<Int>,
        example: Int, _ help: String
    ) -> Self {
        Self(
            column: column, help: help, values: .count(range, canBeNone: false), example: .count(example),
            read: { .count($0[keyPath: path]) },
            set: { if case .count(let count?) = $1 { $0[keyPath: path] = count } })
    }

    /// A bound on calls, or none.
    private static func count(
        _ column: String, _ path: any WritableKeyPath<LaneSettings, Int?> & Sendable,
        in range: ClosedRange<Int> = 1...1_000_000, _ help: String
    ) -> Self {
        Self(
            column: column, help: help, values: .count(range, canBeNone: true), example: .count(4),
            read: { .count($0[keyPath: path]) },
            set: { if case .count(let count) = $1 { $0[keyPath: path] = count } })
    }

    private static func time(
        _ column: String, _ path: any WritableKeyPath<LaneSettings, Duration> & Sendable,
        in range: ClosedRange<Duration>, example: Duration, _ help: String
    ) -> Self {
        Self(
            column: column, help: help, values: .time(range), example: .time(example),
            read: { .time($0[keyPath: path]) },
            set: { if case .time(let time) = $1 { $0[keyPath: path] = time } })
    }
}

/// A setting with its new value.
package struct LaneChange: Sendable {
    package let setting: LaneSetting
    package let value: LaneSetting.Value

    package init(_ setting: LaneSetting, _ value: LaneSetting.Value) {
        self.setting = setting
        self.value = value
    }

    package func apply(to settings: inout LaneSettings) { setting.set(&settings, value) }
}

extension LaneSettings {
    /// The columns that ``init(_:)`` reads and `lanes.*` does not contain: times in seconds, each with a comma after it.
    static let columns = LaneSetting.all.reduce("" as SQL) { columns, setting in
        guard case .time = setting.values else { return columns }
        return """
            \(part: columns)
            extract(epoch FROM lanes.\(identifier: setting.column)) AS \(identifier: setting.member),
            """
    }

    init(_ row: Row) throws {
        self.init()
        for setting in LaneSetting.all {
            let value: LaneSetting.Value =
                switch setting.values {
                case .count: .count(try row.readIfPresent(setting.column))
                case .time: .time(try row.read(setting.member))
                case .price: .price(try Price(row))
                }
            setting.set(&self, value)
        }
    }

    /// The columns with their new values, for an UPDATE.
    var assignments: SQL {
        LaneSetting.all.reduce(nil as SQL?) { done, setting in
            let next: SQL =
                switch setting.read(self) {
                case .count(let count): "\(identifier: setting.column) = \(count)"
                case .time(let time): "\(identifier: setting.column) = \(time)"
                case .price(let price):
                    "price_per_1000_calls = \(price?.per1000Calls)::float8, currency = \(price?.currency)"
                }
            return done.map { "\(part: $0), \(part: next)" } ?? next
        } ?? ""
    }

    /// The settings by name, as text for the log.
    var words: [String: String] {
        Dictionary(LaneSetting.all.map { ($0.column, $0.read(self).text) }) { first, _ in first }
    }
}

extension LaneSetting.Value {
    /// The value as text for the log.
    fileprivate var text: String {
        switch self {
        case .count(let count): count.map(String.init) ?? "none"
        case .time(let time): time.logged
        case .price(let price): price?.text ?? "none"
        }
    }
}

extension Price {
    fileprivate init?(_ row: Row) throws {
        guard let amount = try row.readIfPresent("price_per_1000_calls", as: Double.self) else { return nil }
        self.init(per1000Calls: amount, currency: try row.read("currency"))
    }
}

/// The kind of subjects of a lane's jobs.
package enum LaneKind: String, Sendable, CaseIterable {
    /// Questions, which a provider answers.
    case geocoding
    /// Trackers, whose locations are uploaded to a sink.
    case upload
}

extension String {
    /// True if the text can name a lane or a chain: one word of small letters, digits, `-` and `_`.
    package var isName: Bool {
        (1...60).contains(utf8.count)
            && utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
            }
    }
}
