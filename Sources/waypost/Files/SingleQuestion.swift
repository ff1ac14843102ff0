import Geocoding
import Postgres
import Questions
import Queue
import Terminal
import Wording

/// One question that a person waits for. It has the highest priority, within the limits of the lanes.
struct SingleQuestion: Sendable {
    let subject: Question.Subject
    let chain: String
    let tellsSteps: Bool
    /// The longest wait for the answer.
    var timeLimit: Duration?

    func run(in app: Application) async throws -> QuestionDetails {
        let id = try await app.database.transaction { [questions = app.questions, subject, chain] in
            try questions.askNow(subject, along: chain, on: $0)
        }
        var teller = StepTeller(isQuiet: !tellsSteps)
        var waits = WaitTeller()
        let start = ContinuousClock.now
        while true {
            let moment = try await app.database.run { [app] db in try Moment(of: id, app, on: db) }
            teller.tell(moment)
            if moment.question.status != .waiting { return moment.question }
            if !tellsSteps { _ = waits.tell(moment.waits, at: .now) }
            if let timeLimit, ContinuousClock.now - start >= timeLimit {
                Screen.errors.writeLine("There is no answer after \(Readable.duration(timeLimit)).")
                return moment.question
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// The present state of a question.
private struct Moment: Sendable {
    let question: QuestionDetails
    let circumstances: JobCircumstances?
    let workers: Int

    var waits: [LaneWait] {
        workers == 0 ? [.nobody] : [circumstances.flatMap { LaneWait($0.lane) }].compactMap(\.self)
    }

    init(of id: Int, _ app: Application, on database: isolated Connection) throws {
        question = try app.question(id, on: database)
        circumstances = try question.job.flatMap { try app.queue.circumstances(of: $0, on: database) }
        workers = try app.registry.workers(on: database).count
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

    mutating func tell(_ moment: Moment) {
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
