import Geocoding
import Processes
import Queue
import Shapes
import Terminal

enum LaneVerbs {
    static let group = Node.group(
        "lanes", "See and control the lanes: one queue and its limits for each provider.",
        [list, show, add, limit, set, pause, resume, audit])

    private struct OneLane: VerbInput {
        @Argument("LANE", "The lane.") var lane: String
    }

    private static let list = Node.list(
        "list", NoInput.self, "Show the lanes: their state, backlog and limits.",
        "USED is the share of the permitted calls that the last 60 seconds used.", in: .folder,
        look: { _, app, db in try app.queue.lanes(on: db) }, as: { $0 },
        [
            .left("LANE") { $0.lane }, .left("STATE", style: conditionStyle) { $0.conditionText },
            .right("READY") { Readable.count($0.ready) }, .right("LATER") { Readable.count($0.later) },
            .right("HELD") { Readable.count($0.held) }, .right("DEAD") { Readable.count($0.dead) },
            .right("USED") { $0.usedText }, .left("LIMITS") { $0.limits.text },
        ],
        after: { lanes, screen in
            for lane in lanes {
                guard let failures = lane.failures else { continue }
                screen.writeLine("\(lane.lane): \(failures.sentence(asOf: lane.asOf))")
            }
        })

    private static let show = Node.show(
        "show", OneLane.self, "Show the state, settings and limits of a lane.", in: .folder,
        look: { input, app, db in (try app.queue.lane(input.lane, on: db), TermsOfUse.of(input.lane, in: app)) },
        as: { $0.0 },
        write: { seen, screen in
            seen.0.write(to: screen)
            for (title, terms) in seen.1 {
                screen.writeLine()
                var table = Table(.left("TERMS"), .left(title))
                for fact in terms.facts { table.add(fact.title, fact.text) }
                table.write(to: screen)
            }
        })

    private struct NewLane: VerbInput {
        @Argument("LANE", "Its name.") var lane: String
        @Option("--batch", "N", "How many questions one call carries.", in: LaneSetting.batches) var batch = 1

        func check() throws {
            if !lane.isName { throw UsageError("a lane's name has small letters, digits, - and _, 60 at most") }
        }
    }

    private static let add = Node.act(
        "add", NewLane.self, "Create a lane.",
        "A lane is named after the provider that serves it. It begins open and without limits.", in: .folder
    ) { input, app, db in
        try app.queue.addLane(input.lane, batch: input.batch, by: .current, on: db)
        return "Lane \(input.lane) was created. Limit it with 'waypost lanes limit \(input.lane) 1/s'."
    }

    private struct NewLimits: VerbInput {
        @Argument("LANE", "The lane.") var lane: String
        @Argument("RATE", "The new limits; they replace all others.") var rates: [RateLimit] = []
        @Flag("--none", "Remove all limits.") var none

        func check() throws {
            if rates.isEmpty, !none { throw UsageError("give one RATE or more, or --none") }
            if !rates.isEmpty, none { throw UsageError("a RATE and --none contradict each other") }
            if rates.hasTwoForOneTime {
                throw UsageError("two RATEs are for the same time; give one")
            }
        }
    }

    private static let limit = Node.act(
        "limit", NewLimits.self, "Set the limits of a lane, at once and for the whole cluster.",
        """
        A rate is a number of calls in a time: 20/s, 300/min, 2500/d, 1/2s. Several may hold at once. A burst is how \
        many calls may come together; by default a twenty-fifth of them, or those of a tenth of a second. \
        In any window of t seconds the provider sees at most burst + rate × t calls:

          waypost lanes limit nominatim 1/s
          waypost lanes limit census 20/s:burst=5 300/min
        """, in: .folder
    ) { input, app, db in
        try app.queue.setLimits(input.rates, of: input.lane, by: .current, on: db)
        let limits = try app.queue.lane(input.lane, on: db).limits
        return limits.isEmpty
            ? "\(input.lane) has no limits now." : "\(input.lane) is limited to \(limits.text) now."
    }

    struct NewSettings: VerbInput {
        @Argument("LANE", "The lane.") var lane: String
        @OptionTable(LaneSetting.all.map(\.option)) var changes: [LaneChange]

        func check() throws {
            if changes.isEmpty { throw UsageError("give an option, for example --calls-at-once 4") }
        }
    }

    private static let set = Node.verb(
        "set", NewSettings.self, "Change settings of a lane other than its limits, at once and for the whole cluster.",
        changes: true
    ) { input in
        try await Application.asking(.folder) { app, db in
            try app.queue.change(input.lane, by: .current, on: db) { settings in
                for change in input.changes { change.apply(to: &settings) }
            }
            return try app.queue.lane(input.lane, on: db)
        }.write(to: .output)
    }

    private struct Pause: VerbInput {
        @Argument("LANE", "The lane.") var lane: String
        @Option("--reason", "TEXT", "Why, for whoever reads 'waypost log'.") var reason: String?
    }

    private static let pause = Node.act(
        "pause", Pause.self, "Stop a lane until it is resumed. Calls under way finish; no call starts.", in: .folder
    ) { input, app, db in
        try app.queue.pause(input.lane, because: input.reason, by: .current, on: db)
            ? "\(input.lane) is paused." : "\(input.lane) was paused already."
    }

    private static let resume = Node.act(
        "resume", OneLane.self, "Resume a lane that was paused, or that its provider or its breaker stopped.",
        in: .folder
    ) { input, app, db in
        try app.queue.resume(input.lane, by: .current, on: db)
            ? "\(input.lane) is open." : "\(input.lane) was open already."
    }

    private struct Audited: VerbInput {
        @Argument("LANE", "The lane.") var lane: String
        @Option("--since", "How far to look back.", in: Duration.milliseconds(1)...)
        var since = Duration.seconds(3_600)
    }

    private static let audit = Node.show(
        "audit", Audited.self, "Check the log of calls against the lane's limits, in every window.",
        """
        Reads the log of calls and checks every window of time, of any length. Exits with 1 when a \
        limit was exceeded. It never looks back past the last change of the limits.
        """, in: .folder, look: { input, app, db in try app.queue.audit(input.lane, last: input.since, on: db) },
        as: { $0 }, write: { $0.write(to: $1) }, after: { if $0.calls.isExceeded { throw ExitCode(1) } })
}

extension LaneSetting {
    /// `--calls-at-once` for the column `calls_at_once`.
    fileprivate var option: OptionTable<LaneChange>.Row {
        let name = "--" + column.replacing("_", with: "-")
        return switch values {
        case .count(let range, let canBeNone):
            .init(name, help, in: range, orNone: canBeNone) { LaneChange(self, .count($0)) }
        case .time(let range): .init(name, help, in: range) { $0.map { LaneChange(self, .time($0)) } }
        case .price:
            .init(name, help, orNone: true) { price in
                permits(.price(price)) ? LaneChange(self, .price(price)) : nil
            }
        }
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
