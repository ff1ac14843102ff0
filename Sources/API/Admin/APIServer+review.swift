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
    func review(_ request: APIRequest) async throws -> Reply<Page<QuestionDetails, Int>> {
        var query = QueryReader(request.http)
        let limit = query.limit(.work)
        let after = query.integer("after", in: 0...Int.max) ?? 0
        try query.finish()
        let account = request.caller.account
        return try await backend.adminDatabase(of: account).run { database in
            // One more than requested shows whether there are more.
            let questions = try ContactStore().toReview(of: account, after: after, limit: limit + 1, on: database)
            return Reply(Page(questions, limit: limit) { $0.id })
        }
    }

    /// `GET /v1/review/{id}`: any question of the account's addresses, also one that needs no review.
    func question(_ request: APIRequest) async throws -> Reply<QuestionDetails> {
        try request.refuseParameters()
        let id = try request.id()
        return try await backend.adminDatabase(of: request.caller.account).run { database in
            Reply(try known(id, for: request, on: database))
        }
    }

    /// `POST /v1/review/{id}/accept`
    func acceptCandidate(_ request: APIRequest) async throws -> Reply<QuestionDetails> {
        var fields = try await request.optionalFields()
        let number = fields.integer("candidate", in: 1...100) ?? 1
        try fields.finish()
        return try await decide(request) { id, question, database in
            guard
                try QuestionQueue().accept(id, candidate: number, by: request.caller.author, on: database)
            else {
                let refusal = question.refusal(ofCandidate: number, status: question.status.rawValue)
                throw RequestError.conflict(refusal.description)
            }
        }
    }

    /// `POST /v1/review/{id}/reject`
    func rejectCandidates(_ request: APIRequest) async throws -> Reply<QuestionDetails> {
        try await decide(request) { id, question, database in
            guard try QuestionQueue().reject(id, by: request.caller.author, on: database) else {
                let refusal = question.refusal("needs no review", status: question.status.rawValue)
                throw RequestError.conflict(refusal.description)
            }
        }
    }

    /// `POST /v1/review/{id}/pin`
    func pinQuestion(_ request: APIRequest) async throws -> Reply<QuestionDetails> {
        var fields = try await request.fields()
        let latitude = fields.requiredNumber("latitude", in: -90...90)
        let longitude = fields.requiredNumber("longitude", in: -180...180)
        try fields.finish()
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw RequestError.invalid(fields: [.init(field: "latitude", detail: "is not on Earth")])
        }
        return try await decide(request) { id, _, database in
            guard try QuestionQueue().pin(id, at: coordinate, by: request.caller.author, on: database) else {
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
            case .changedSince: throw RequestError.conflict("the answer of question \(id) is another one by now")
            }
        }
    }

    /// Decides a question of the account, and returns its new state.
    private func decide(
        _ request: APIRequest,
        _ body: @Sendable (Int, QuestionDetails, isolated Connection) throws -> Void
    ) async throws -> Reply<QuestionDetails> {
        try request.refuseParameters()
        let id = try request.id()
        return try await act(request) { database in
            try body(id, known(id, for: request, on: database), database)
            return Reply(try known(id, for: request, on: database))
        }
    }

    private func known(
        _ id: Int, for request: APIRequest, on database: isolated Connection
    ) throws -> QuestionDetails {
        guard let question = try ContactStore().question(id, of: request.caller.account, on: database) else {
            throw RequestError.notFound
        }
        return question
    }
}
