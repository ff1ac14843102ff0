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
    /// `GET /v1/review`
    func review(_ request: APIRequest, _ query: ReviewQuery) async throws -> Reply<Page<QuestionDetails, Int>> {
        let account = request.caller.account
        return try await backend.adminDatabase(of: account).run { database in
            let page = try Page(query.limit, next: \.id) {
                try ContactStore().toReview(of: account, after: query.after, limit: $0, on: database)
            }
            return Reply(page)
        }
    }

    /// `GET /v1/review/{id}`: any question of the account's addresses, also one that needs no review.
    func question(_ request: APIRequest) async throws -> Reply<QuestionDetails> {
        let id = try request.id()
        return try await backend.adminDatabase(of: request.caller.account).run { database in
            Reply(try known(id, for: request, on: database))
        }
    }

    /// `POST /v1/review/{id}/accept`
    func acceptCandidate(_ request: APIRequest, _ body: AcceptInput) async throws -> Reply<QuestionDetails> {
        try await decide(request) { id, question, database in
            let decision = Decision.accept(candidate: body.candidate)
            guard try QuestionQueue().decide(decision, of: id, by: request.caller.author, on: database) else {
                let refusal = question.refusal(ofCandidate: body.candidate, status: question.status.rawValue)
                throw RequestError.conflict(refusal.description)
            }
        }
    }

    /// `POST /v1/review/{id}/reject`
    func rejectCandidates(_ request: APIRequest) async throws -> Reply<QuestionDetails> {
        try await decide(request) { id, question, database in
            guard try QuestionQueue().decide(.reject, of: id, by: request.caller.author, on: database) else {
                let refusal = question.refusal("needs no review", status: question.status.rawValue)
                throw RequestError.conflict(refusal.description)
            }
        }
    }

    /// `POST /v1/review/{id}/pin`
    func pinQuestion(_ request: APIRequest, _ body: PinInput) async throws -> Reply<QuestionDetails> {
        guard let coordinate = body.coordinate else {
            throw RequestError.invalid(fields: [.init(field: "latitude", detail: "is not on Earth")])
        }
        return try await decide(request) { id, _, database in
            let decision = Decision.pin(coordinate)
            guard try QuestionQueue().decide(decision, of: id, by: request.caller.author, on: database) else {
                throw RequestError.notFound
            }
        }
    }

    /// `POST /v1/review/{id}/undo`
    func undoDecision(_ request: APIRequest) async throws -> Reply<QuestionDetails> {
        try await decide(request) { id, _, database in
            switch try QuestionQueue().undo(id, by: request.caller.author, on: database) {
            case .undone: break
            case .nothingDecided:
                throw RequestError.conflict("nothing was decided of question \(id) in the last 30 days")
            case .changedSince: throw RequestError.conflict("question \(id) has a new answer since the decision")
            }
        }
    }

    /// Decides a question of the account, and returns its new state.
    private func decide(
        _ request: APIRequest,
        _ body: @Sendable (Int, QuestionDetails, isolated Connection) throws -> Void
    ) async throws -> Reply<QuestionDetails> {
        let id = try request.id()
        return try await act(request) { database in
            try body(id, known(id, for: request, on: database), database)
            return Reply(try known(id, for: request, on: database))
        }
    }

    private func known(
        _ id: Int, for request: APIRequest, on database: isolated Connection
    ) throws -> QuestionDetails {
        try ContactStore().question(id, of: request.caller.account, on: database).orThrow(.notFound)
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
