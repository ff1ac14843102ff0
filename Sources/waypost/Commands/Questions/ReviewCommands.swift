import Geocoding
import Postgres
import Questions
import Shapes
import Terminal
import Wording

struct ReviewListCommand: Command {
    static let name = "list"
    static let summary = "Show the questions that need review."

    @Option("--after", "ID", "Only those after this one.", in: 0...) var after = 0
    let list = ListOptions()

    func run() async throws {
        let limit = list.limit
        try await list.look.show(in: .folder) { [after] app, db in
            // One more than requested shows whether there are more.
            try app.geocodes.toReview(after: after, limit: limit + 1, on: db)
        } as: { questions in
            Array(questions.prefix(limit))
        } write: { questions, screen in
            write(questions, limit, to: screen)
        }
    }

    private func write(_ questions: [QuestionDetails], _ limit: Int, to screen: Screen) {
        let shown = questions.prefix(limit)
        guard let last = shown.last else { return screen.writeLine("No question needs review.") }
        var table = Table(
            .right("ID"), .left("QUESTION"), .right("CANDIDATES"), .left("BEST"), .right("CONFIDENCE"),
            .left("PROVIDER"))
        for question in shown {
            let best = question.candidates.first
            table.add(
                "\(question.id)", question.subject.line, Readable.count(question.candidates.count),
                best?.precision.rawValue ?? "-", best?.confidenceText ?? "-", best?.provider ?? "-")
        }
        table.write(to: screen)
        if questions.count > limit { list.tellOfMore("--after \(last.id)", on: screen) }
    }
}

struct ReviewShowCommand: Command {
    static let name = "show"
    static let summary = "Show a question, its candidates, and the calls that were made."

    @Argument("ID", "The question.", in: 1...) var id: Int
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let question = try await Application.asking(.folder) { [id] app, db in try app.question(id, on: db) }
        if json { return Screen.output.writeJSON(question) }
        question.write(to: .output)
    }
}

struct ReviewAcceptCommand: ChangingCommand {
    static let name = "accept"
    static let summary = "Accept one of a question's candidates as its place."

    @Argument("ID", "The question.", in: 1...) var id: Int
    @Argument("CANDIDATE", "Its number in 'review show'.", in: 1...) var candidate = 1

    func run() async throws {
        let chosen = try await Application.asking(.folder) { [id, candidate] app, db in
            let question = try app.question(id, on: db)
            let chosen = question.candidates.dropFirst(candidate - 1).first
            guard let chosen, try app.questions.decide(.accept(candidate: candidate), of: id, by: .current, on: db)
            else {
                throw question.refusal(ofCandidate: candidate, status: question.status.words)
            }
            return chosen
        }
        let ends = chosen.days.map { " Its provider's terms let it stay for \(Words.count($0, "day"))." } ?? ""
        Screen.output.writeLine(
            "Question \(id) is located now, by candidate \(candidate): \(chosen.precision.rawValue), "
                + "found by \(chosen.provider).\(ends)")
    }
}

struct ReviewRejectCommand: ChangingCommand {
    static let name = "reject"
    static let summary = "Reject all candidates of a question."

    @Argument("ID", "The question.", in: 1...) var id: Int

    func run() async throws {
        try await Application.asking(.folder) { [id] app, db in
            let question = try app.question(id, on: db)
            guard try app.questions.decide(.reject, of: id, by: .current, on: db) else {
                throw question.refusal("needs no review", status: question.status.words)
            }
        }
        Screen.output.writeLine("Question \(id) is not found now, and is not asked again.")
    }
}

struct ReviewPinCommand: ChangingCommand {
    static let name = "pin"
    static let summary = "Set the position of any question by hand."

    @Argument("ID", "The question.", in: 1...) var id: Int
    @Argument("LAT,LON", "The coordinate, in degrees.") var coordinate: Coordinate

    func run() async throws {
        try await Application.asking(.folder) { [id, coordinate] app, db in
            guard try app.questions.decide(.pin(coordinate), of: id, by: .current, on: db) else {
                throw NoSuchQuestion(id: id)
            }
        }
        Screen.output.writeLine("Question \(id) is pinned to \(coordinate.word) now, and no provider overrides it.")
    }
}

struct ReviewUndoCommand: ChangingCommand {
    static let name = "undo"
    static let summary = "Take the last decision of a question back: it stands as it did before."
    static let discussion = """
        Within 30 days, unless its answer was changed since. Run it again to take the decision before that back.
        """

    @Argument("ID", "The question.", in: 1...) var id: Int

    func run() async throws {
        let question = try await Application.asking(.folder) { [id] app, db in
            let question = try app.question(id, on: db)
            switch try app.questions.undo(id, by: .current, on: db) {
            case .undone: return try app.question(id, on: db)
            case .nothingDecided:
                throw question.refusal("has no decision of the last 30 days", status: question.status.words)
            case .changedSince:
                throw question.refusal("has another answer since the decision", status: question.status.words)
            }
        }
        Screen.output.writeLine("Question \(id) stands as it did before: \(question.status.words).")
    }
}

extension Application {
    func question(_ id: Int, on database: isolated Connection) throws -> QuestionDetails {
        guard let question = try geocodes.geocode(id, on: database) else { throw NoSuchQuestion(id: id) }
        return question
    }
}

private struct NoSuchQuestion: Error, CustomStringConvertible {
    let id: Int
    var description: String { "there is no question \(id); 'waypost review list' shows those that need review" }
}
