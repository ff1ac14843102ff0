import Contacts
import Processes
import Queue
import Terminal

/// Prints once for each lane the reason why the command waits for it.
struct WaitTeller {
    private var told: Set<String> = []
    private var since: [String: ContinuousClock.Instant] = [:]
    private let screen: Screen

    /// A new cluster needs a moment until its workers run.
    private static let patience = Duration.seconds(5)

    init(on screen: Screen = .errors) {
        self.screen = screen
    }

    /// Returns the reasons that persist, in a few words each.
    mutating func tell(_ waits: [LaneWait], at now: ContinuousClock.Instant) -> [String] {
        var keys: Set<String> = []
        var lasting: [String] = []
        for wait in waits {
            let key = "\(wait.lane) \(wait.kind)"
            keys.insert(key)
            let start = since[key] ?? now
            since[key] = start
            guard wait.kind != .noWorker || now - start >= Self.patience else { continue }
            lasting.append(wait.words)
            if told.insert(key).inserted { screen.writeLine(wait.sentence) }
        }
        since = since.filter { keys.contains($0.key) }
        return lasting
    }
}

extension LaneWait {
    /// `Waiting: lane nominatim has been paused since 03:43:00; 'waypost lanes resume nominatim' restarts it.`
    var sentence: String {
        let parts = [words, detail, command].filter { !$0.isEmpty }.joined(separator: "; ")
        return "Waiting: \(parts.hasSuffix(".") ? String(parts.dropLast()) : parts)."
    }

    private var command: String {
        switch kind {
        case .stopped where detail == LaneCondition.copied: ""
        case .stopped: "after that is repaired, 'waypost lanes resume \(lane)' restarts it"
        case .paused: "'waypost lanes resume \(lane)' restarts it"
        case .noWorker:
            lane.isEmpty || lane == "gazetteer"
                ? "start one with 'waypost worker'"
                : ProviderSettings.absence(of: lane)
        case .blocked, .failing, .limits: ""
        }
    }
}

extension AddressProgress {
    /// `1,100 located, 32 of them weak, 12 not found`
    fileprivate var words: String {
        [
            (located, "located"), (weak, "of them weak"), (needsReview, "to review"), (notFound, "not found"),
            (failed, "failed"),
        ]
        .filter { $0.0 > 0 }.map { "\(Readable.count($0.0)) \($0.1)" }.joined(separator: ", ")
    }
}

extension AnswerWait {
    /// Waits with a progress bar, and prints the reasons for the wait.
    func run() async throws -> Outcome {
        var bar: ProgressBar?
        defer { bar?.erase() }
        var teller = WaitTeller()
        return try await run { progress, waits in
            let done = progress.total - progress.waiting
            // Earlier answers are not counted, because they would make the speed look too high.
            if bar == nil { bar = ProgressBar("Geocoding", total: progress.total, from: done) }
            let lasting = teller.tell(waits, at: .now)
            bar?.update(
                done: done, total: progress.total,
                label: ([progress.words] + lasting).filter { !$0.isEmpty }.joined(separator: "; "))
        } onAway: {
            Screen.errors.writeLine("The database is away. Waiting.")
        }
    }
}
