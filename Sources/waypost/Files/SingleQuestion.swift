import Contacts
import Geocoding
import Postgres
import Processes
import Questions
import Queue
import Terminal

/// One question that a person waits for. It has the highest priority, within the limits of the lanes.
struct SingleQuestion: Sendable {
    let subject: Question.Subject
    let chain: String
    let tellsSteps: Bool
    /// The longest wait for the answer.
    var timeLimit: Duration?

    func run(in app: Application) async throws -> QuestionDetails {
        var teller = StepTeller(isQuiet: !tellsSteps)
        var waits = WaitTeller()
        let question = try await QuestionWait(database: app.database, workers: app.registry)
            .run(subject, along: chain, within: timeLimit) { moment in
                teller.tell(moment)
                if !tellsSteps, moment.question.status == .waiting { _ = waits.tell(moment.waits, at: .now) }
            }
        guard let question else { throw Failure("the question was deleted before it was answered") }
        if question.status == .waiting {
            Screen.errors.writeLine(
                "There is no answer after \(Readable.duration(timeLimit ?? Standstill.limit)). The same command goes on."
            )
        }
        return question
    }
}

/// Prints the steps of a question, but no part of the address.
private struct StepTeller {
    let isQuiet: Bool
    private var told = 0
    private var asking: [String?] = []
    private var waiting: [String?] = []

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    mutating func tell(_ moment: QuestionWait.Moment) {
        if isQuiet { return }
        let question = moment.question
        for stretch in question.trail.dropFirst(told) {
            say("\(Self.name(stretch.lane, stretch.step?.rawValue)): \(stretch.result)")
        }
        told = max(told, question.trail.count)
        if question.status != .waiting { return say(question.end) }
        guard let job = question.job, let circumstances = moment.circumstances else { return }
        let lane = circumstances.lane
        let now = [lane.lane, question.step?.rawValue]
        if now != asking { say("asking \(Self.name(lane.lane, question.step?.rawValue))") }
        asking = now
        // The times in the sentence always change, so it is printed again only if the kind of reason has changed.
        let why = WhyJobWaits(circumstances)
        let reason = ["\(job)", why.word]
        if reason != waiting { say(why.advice(job: job, lane: lane)) }
        waiting = reason
    }

    private func say(_ text: String) {
        Screen.errors.writeLine(text)
    }

    private static func name(_ lane: String, _ step: String?) -> String {
        [lane, step].compactMap(\.self).joined(separator: ", ")
    }
}

extension QuestionDetails {
    /// The provider that answered the question, and the answer.
    fileprivate var end: String {
        if let place, !isPinned { return "\(place.finder): \(place.summary)" }
        return "\(provider.map { "\($0): " } ?? "")\(status.words)"
    }

    /// Prints the answer, and fails unless the question is located.
    func answer(asJSON isJSON: Bool) throws {
        if isJSON { Screen.output.writeJSON(self) } else { write(to: .output) }
        if status != .located { throw ExitCode(1) }
    }
}

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
