import Access
import Contacts
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Queue

/// Questions about the account's own addresses that wait for a person. A decision applies to every account that has the
/// address.
extension APIServer {
    /// `GET /v1/review`
    func review(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        let limit = query.integer("limit", in: 1...1_000) ?? 50
        let after = query.integer("after", in: 0...Int.max) ?? 0
        try query.finish()
        let account = request.caller.account
        return try await backend.adminDatabase(of: account).run { database in
            // One more than requested shows whether there are more.
            let questions = try ContactStore().toReview(of: account, after: after, limit: limit + 1, on: database)
            let shown = questions.prefix(limit)
            return .json { json in
                json.object { json in
                    json.list("data", shown) { $0.question($1) }
                    json.member("next_after", questions.count > limit ? shown.last?.id : nil)
                }
            }
        }
    }

    /// `GET /v1/review/{id}`: any question of the account's addresses, also one that needs no review.
    func question(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let id = try request.id()
        return try await backend.adminDatabase(of: request.caller.account).run { database in
            let question = try known(id, for: request, on: database)
            return .json { $0.question(question) }
        }
    }

    /// `POST /v1/review/{id}/accept`
    func acceptCandidate(_ request: APIRequest) async throws -> ServerResponse {
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
    func rejectCandidates(_ request: APIRequest) async throws -> ServerResponse {
        try await decide(request) { id, question, database in
            guard try QuestionQueue().reject(id, by: request.caller.author, on: database) else {
                let refusal = question.refusal("needs no review", status: question.status.rawValue)
                throw RequestError.conflict(refusal.description)
            }
        }
    }

    /// `POST /v1/review/{id}/pin`
    func pinQuestion(_ request: APIRequest) async throws -> ServerResponse {
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
    func undoDecision(_ request: APIRequest) async throws -> ServerResponse {
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
    ) async throws -> ServerResponse {
        try request.refuseParameters()
        let id = try request.id()
        return try await act(request) { database in
            try body(id, known(id, for: request, on: database), database)
            let question = try known(id, for: request, on: database)
            return .json { $0.question(question) }
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

extension JSONWriter {
    fileprivate mutating func question(_ question: QuestionDetails) {
        guard case .address(let address) = question.subject else { return null("address") }
        object { json in
            json.member("id", question.id)
            json.object("address") { json in
                json.member("street", address.street)
                json.member("city", address.city)
                json.member("region", address.region)
                json.member("postcode", address.postcode)
                json.member("country", address.country)
            }
            json.member("status", question.status.rawValue)
            json.member("reason", question.reason)
            json.member("is_pinned", question.isPinned)
            json.member("is_shared", question.isShared)
            json.member("is_under_way", question.job != nil)
            if let place = question.place {
                json.member("place") { $0.candidate(place, for: address) }
            } else {
                json.null("place")
            }
            json.list("candidates", question.candidates) { $0.candidate($1, for: address) }
            json.list("calls", question.trail) { json, call in
                json.object { json in
                    json.member("lane", call.lane)
                    json.member("step", call.step?.rawValue)
                    json.member("result", call.result)
                }
            }
        }
    }

    /// A place, compared part by part with the question.
    private mutating func candidate(_ found: Place, for address: Address) {
        let place = found.placemark
        let confidence = Confidence(of: Candidate(place, found.precision), for: address)
        object { json in
            json.member("latitude", place.coordinate.latitude)
            json.member("longitude", place.coordinate.longitude)
            json.member("precision", found.precision.rawValue)
            json.member("confidence", found.confidence)
            json.member("is_weak", found.isWeak)
            json.member("provider", found.provider)
            json.member("step", found.step?.rawValue)
            json.member("days", found.days)
            json.member("matched_address", place.problems.contains(.unnamed) ? nil : place.addressText())
            json.member("street", place.thoroughfare)
            json.member("house_number", place.subThoroughfare)
            json.member("city", place.locality)
            json.member("region", place.administrativeArea)
            json.member("postcode", place.postalCode)
            json.member("country", place.countryName)
            json.member("country_code", place.countryCode)
            json.object("compared") { json in
                for component in Confidence.Component.allCases {
                    json.member(
                        component == .houseNumber ? "house_number" : component.rawValue,
                        confidence.components[component]?.rawValue)
                }
            }
        }
    }
}
