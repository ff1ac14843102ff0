import Geocoding
import Postgres
import Processes
import Questions
import Shapes
import Terminal

enum ReviewVerbs {
    static let group = Node.group(
        "review", "See and decide doubtful answers.", [list, show, accept, reject, pin, undo])

    private struct Listed: VerbInput {
        @Option("--after", "ID", "Only those after this one.", in: 0...) var after = 0
    }

    private static let list = Node.pages(
        "list", Listed.self, "Show the questions that need review.", in: .folder,
        look: { input, limit, app, db in try app.geocodes.toReview(after: input.after, limit: limit, on: db) },
        as: { question, _ in question }, empty: { _ in "No question needs review." },
        [
            .right("ID") { "\($0.id)" }, .left("QUESTION") { $0.subject.line },
            .right("CANDIDATES") { Readable.count($0.candidates.count) },
            .left("BEST") { $0.candidates.first?.precision.rawValue ?? "-" },
            .right("CONFIDENCE") { $0.candidates.first?.confidenceText ?? "-" },
            .left("PROVIDER") { $0.candidates.first?.provider ?? "-" },
        ], next: { last, _ in "--after \(last.id)" })

    private struct OneQuestion: VerbInput {
        @Argument("ID", "The question.", in: 1...) var id: Int
    }

    private static let show = Node.show(
        "show", OneQuestion.self, "Show a question, its candidates, and the calls that were made.", in: .folder,
        look: { input, app, db in try app.question(input.id, on: db) }, as: { $0 }, write: { $0.write(to: $1) })

    private struct Accepted: VerbInput {
        @Argument("ID", "The question.", in: 1...) var id: Int
        @Argument("CANDIDATE", "Its number in 'review show'.", in: 1...) var candidate = 1
    }

    private static let accept = Node.act(
        "accept", Accepted.self, "Accept one of a question's candidates as its place.", in: .folder
    ) { input, app, db in
        let (id, candidate) = (input.id, input.candidate)
        let question = try app.question(id, on: db)
        let chosen = question.candidates.dropFirst(candidate - 1).first
        guard let chosen, try app.questions.decide(.accept(candidate: candidate), of: id, by: .current, on: db) else {
            throw question.refusal(ofCandidate: candidate, status: question.status.words)
        }
        let ends = chosen.days.map { " Its provider's terms let it stay for \(Words.count($0, "day"))." } ?? ""
        return
            "Question \(id) is located now, by candidate \(candidate): \(chosen.precision.rawValue), found by \(chosen.provider).\(ends)"
    }

    private static let reject = Node.act(
        "reject", OneQuestion.self, "Reject all candidates of a question.", in: .folder
    ) { input, app, db in
        let question = try app.question(input.id, on: db)
        guard try app.questions.decide(.reject, of: input.id, by: .current, on: db) else {
            throw question.refusal("needs no review", status: question.status.words)
        }
        return "Question \(input.id) is not found now, and is not asked again."
    }

    private struct Pinned: VerbInput {
        @Argument("ID", "The question.", in: 1...) var id: Int
        @Argument("LAT,LON", "The coordinate, in degrees.") var coordinate: Coordinate
    }

    private static let pin = Node.act(
        "pin", Pinned.self, "Set the position of any question by hand.", in: .folder
    ) { input, app, db in
        guard try app.questions.decide(.pin(input.coordinate), of: input.id, by: .current, on: db) else {
            throw Failure.noQuestion(input.id)
        }
        return "Question \(input.id) is pinned to \(input.coordinate.word) now, and no provider overrides it."
    }

    private static let undo = Node.act(
        "undo", OneQuestion.self, "Undo the last decision on a question.",
        """
        Within 30 days, unless its answer was changed since. Run it again to undo the decision before that.
        """, in: .folder
    ) { input, app, db in
        let id = input.id
        let question = try app.question(id, on: db)
        switch try app.questions.undo(id, by: .current, on: db) {
        case .undone:
            return "Question \(id) stands as it did before: \(try app.question(id, on: db).status.words)."
        case .nothingDecided:
            throw question.refusal("has no decision of the last 30 days", status: question.status.words)
        case .changedSince:
            throw question.refusal("has another answer since the decision", status: question.status.words)
        }
    }
}

extension Application {
    fileprivate func question(_ id: Int, on database: isolated Connection) throws -> QuestionDetails {
        guard let question = try geocodes.geocode(id, on: database) else { throw Failure.noQuestion(id) }
        return question
    }
}
