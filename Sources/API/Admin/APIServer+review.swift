import Access
import Contacts
import Geocoding
import HTTP
import Postgres
import Questions
import Queue
import Shapes

/// Questions about the account's own addresses that wait for a person. A decision applies to every account that has the
/// address.
extension APIServer {
    @ListBuilder<APIRoute> var reviewRoutes: [APIRoute] {
        route(.get, "/v1/review", .admin, .inspect, ReviewQuery.self) { request, query, db in
            let page = try Page(query.limit, next: \.id) {
                try ContactStore().toReview(of: request.account, after: query.after, limit: $0, on: db)
            }
            return Reply(page)
        }
        .described(
            "getReview", "Lists questions that wait for a person", details: "Those of the account's own addresses.",
            .ok("The questions."))
        route(.get, "/v1/review/{id}", .admin, .inspect) { Reply(try question(of: $0, on: $1)) }
            .described(
                "getQuestion", "Shows a question",
                details: "Of the account's own addresses, whether it waits for a person or not.",
                .ok("What was asked, and all that was found."))
        deciding("accept", AcceptInput.self) { request, body, question, db in
            let decision = Decision.accept(candidate: body.candidate)
            guard try QuestionQueue().decide(decision, of: question.id, by: request.author, on: db) else {
                let refusal = question.refusal(ofCandidate: body.candidate, status: question.status.rawValue)
                throw RequestError.conflict(refusal.description)
            }
        }
        .described("acceptCandidate", "Accepts one of a question's candidates", .ok("The question."))
        deciding("reject", NoInput.self) { request, _, question, db in
            guard try QuestionQueue().decide(.reject, of: question.id, by: request.author, on: db) else {
                let refusal = question.refusal("needs no review", status: question.status.rawValue)
                throw RequestError.conflict(refusal.description)
            }
        }
        .described("rejectCandidates", "Rejects all candidates of a question", .ok("The question."))
        deciding("pin", PinInput.self) { request, body, question, db in
            guard let coordinate = body.coordinate else {
                throw RequestError.invalid(field: "latitude", "is not on Earth")
            }
            guard try QuestionQueue().decide(.pin(coordinate), of: question.id, by: request.author, on: db) else {
                throw RequestError.notFound
            }
        }
        .described(
            "pinQuestion", "Sets a question's place by hand", details: "No provider overrides it.",
            .ok("The question."))
        deciding("undo", NoInput.self) { request, _, question, db in
            switch try QuestionQueue().undo(question.id, by: request.author, on: db) {
            case .undone: break
            case .nothingDecided:
                throw RequestError.conflict("nothing was decided of question \(question.id) in the last 30 days")
            case .changedSince:
                throw RequestError.conflict("question \(question.id) has a new answer since the decision")
            }
        }
        .described(
            "undoDecision", "Takes the last decision of a question back",
            details: "409 where nothing was decided, or the answer was changed since.",
            .ok("The question, as it was before."))
    }

    /// A route that decides a question of the account, and responds with its new state.
    private func deciding<Input: RequestInput>(
        _ act: String, _: Input.Type,
        _ body: @escaping @Sendable (APIRequest, Input, QuestionDetails, isolated Connection) throws -> Void
    ) -> APIRoute {
        route(.post, "/v1/review/{id}/\(act)", .admin, .act, Input.self) { request, input, db in
            try body(request, input, question(of: request, on: db), db)
            return Reply(try question(of: request, on: db))
        }
    }

    private func question(of request: APIRequest, on database: isolated Connection) throws -> QuestionDetails {
        try ContactStore().question(request.id(), of: request.account, on: database).orThrow(.notFound)
    }
}

struct ReviewQuery: QueryInput {
    let limit: Int, after: Int

    init(_ query: inout RequestReader) {
        limit = query.limit(.work)
        after = query.integer("after", in: 0...Int.max, "`next_after` of the page before.", example: 0) ?? 0
    }
}

struct AcceptInput: BodyInput {
    static let isRequired = false
    let candidate: Int

    init(_ body: inout RequestReader) {
        candidate = body.integer("candidate", in: 1...100, "1 for the first.", example: 1) ?? 1
    }
}

struct PinInput: BodyInput {
    /// Nil if it is not on Earth.
    let coordinate: Coordinate?

    init(_ body: inout RequestReader) {
        let latitude = body.degrees("latitude", to: 90, example: 39.52)
        let longitude = body.degrees("longitude", to: 180, example: -119.81)
        coordinate = Coordinate(latitude: latitude ?? 0, longitude: longitude ?? 0)
    }
}
