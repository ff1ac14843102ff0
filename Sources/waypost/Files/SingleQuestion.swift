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
        guard let question else { throw NoQuestion() }
        if question.status == .waiting {
            Screen.errors.writeLine(
                "There is no answer after \(Readable.duration(timeLimit ?? Standstill.limit)). The same command goes on."
            )
        }
        return question
    }
}

private struct NoQuestion: Error, CustomStringConvertible {
    var description: String { "the question was deleted before it was answered" }
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
