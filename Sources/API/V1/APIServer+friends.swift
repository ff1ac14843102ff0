import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Queue

extension APIServer {
    /// `GET /v1/friends/{id}`
    func friend(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        let added = query.added("add")
        let tellsWaits = query.flag("waits_for")
        try query.finish()
        let (id, account) = (try request.id(), request.caller.account)
        let (found, waits) = try await backend.database(of: account).run { database in
            let found = try ContactStore().friend(id, account: account, on: database)
            return (found, tellsWaits ? try self.waits(ofFriend: id, account: account, on: database) : nil)
        }
        guard let found else { throw RequestError.notFound }
        return answer(found, adding: added, waits)
    }

    /// The reasons why the friend's addresses wait, one for each job.
    private func waits(
        ofFriend id: Int, account: Int, on database: isolated Connection
    ) throws -> [WaitReason] {
        let questions = try ContactStore().questions(ofFriend: id, account: account, on: database)
        var reasons: [WaitReason] = []
        for job in try GeocodeStore().jobs(of: questions, on: database) {
            guard let circumstances = try JobQueue().circumstances(of: job, on: database) else { continue }
            reasons.append(WaitReason(circumstances))
        }
        return reasons
    }

    /// `GET /v1/friends`: pages by id, so that every page costs the same.
    func friends(_ request: APIRequest) async throws -> ServerResponse {
        if request.http.query("updated_since") != nil { return try await changedFriends(request) }
        var query = QueryReader(request.http)
        let limit = query.integer("limit", in: 1...1_000) ?? 100
        let after = query.integer("after", in: 0...Int.max) ?? 0
        let filter = FriendFilter(
            name: query.text("query"), feed: query.text("feed", within: .feed), label: query.text("label"),
            country: query.country("country"),
            status: query.choice("status", of: GeocodeStatus.allCases.map(\.rawValue)).flatMap(GeocodeStatus.init))
        let added = query.added("add")
        try query.finish()
        let account = request.caller.account
        // Long responses are written on the connection's thread. Swift's own threads are only as many as the cores, and
        // short responses need them.
        return try await backend.database(of: account).run { database in
            let contacts = ContactStore()
            // One more than requested shows whether there are more.
            let ids = try contacts.friends(
                where: filter, account: account, after: after, limit: limit + 1, on: database)
            let found = try contacts.friends(Array(ids.prefix(limit)), account: account, on: database)
            return .json { json in
                json.object { json in
                    json.list("data", found) { $0.friend($1, adding: added) }
                    json.member("next_after", ids.count > limit ? found.last?.id : nil)
                }
            }
        }
    }

    /// `DELETE /v1/friends/{id}`
    func removeFriend(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, friend: id, on: database)
            guard try FriendEditor().remove([id], account: account, on: database) > 0 else {
                throw RequestError.notFound
            }
            return ServerResponse(status: 204)
        }
    }

    /// The friend with its tag. The tag is that of the usual columns, so writes can be compared whatever columns were
    /// added.
    func answer(
        _ friend: FriendRecord, adding added: AddedColumns = .usual, _ waits: [WaitReason]? = nil
    ) -> ServerResponse {
        let usual = ServerResponse.json { $0.friend(friend) }
        guard added != .usual || waits != nil else { return usual }
        var response = ServerResponse.json { $0.friend(friend, adding: added, waits) }
        response.headers["ETag"] = ETag.of(usual.bytes).shown(as: response.bytes).text
        return response
    }

    /// Refuses a write to a friend that does not fulfil the client's conditions.
    private func require(_ request: APIRequest, friend id: Int, on database: isolated Connection) throws {
        let account = request.caller.account
        try request.require {
            guard try FriendEditor().lock(friend: id, account: account, on: database),
                let friend = try ContactStore().friend(id, account: account, on: database)
            else { throw RequestError.notFound }
            return answer(friend)
        }
    }

    /// `POST /v1/friends/{id}/geocode`: gives the questions of the friend's addresses the highest priority.
    func hurry(_ request: APIRequest) async throws -> ServerResponse {
        try await ask(request) { id, account, database in
            try FriendEditor().hurry(friend: id, account: account, on: database)
        }
    }

    /// `POST /v1/friends/{id}/retry`: asks the failed and the not-found questions again.
    func retry(_ request: APIRequest) async throws -> ServerResponse {
        try await ask(request) { id, account, database in
            try FriendEditor().retry(friend: id, account: account, on: database)
        }
    }

    /// `POST /v1/addresses/{id}/retry`: asks one address again, whatever its status.
    func askAddressAgain(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let (id, caller) = (try request.id(), request.caller)
        return try await write(request) { database in
            let count = try FriendEditor().askAgain(
                address: id, account: caller.account, by: caller.author, on: database)
            guard let count else { throw RequestError.notFound }
            return .json(202) { json in json.object { $0.member("addresses", count) } }
        }
    }

    /// Responds with the number of addresses that `ask` returns; not found if it returns nil.
    func ask(
        _ request: APIRequest,
        _ ask: @escaping @Sendable (_ id: Int, _ account: Int, isolated Connection) throws -> Int?
    ) async throws -> ServerResponse {
        try request.refuseParameters()
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, friend: id, on: database)
            guard let count = try ask(id, account, database) else { throw RequestError.notFound }
            return .json(202) { json in json.object { $0.member("addresses", count) } }
        }
    }
}

extension QueryReader {
    /// A code of ISO 3166-1 alpha-2, in capitals.
    mutating func country(_ name: String) -> String? {
        guard let code = text(name) else { return nil }
        guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            return mistake(name, "is no code of two capitals")
        }
        return code
    }
}

extension JSONWriter {
    mutating func friend(
        _ friend: FriendRecord, adding added: AddedColumns = .usual, _ waits: [WaitReason]? = nil
    ) {
        object { json in
            json.member("id", friend.id)
            json.member("key", friend.sourceKey)
            json.member("name", friend.name)
            json.member("first_name", friend.firstName)
            json.member("last_name", friend.lastName)
            json.member("nickname", friend.nickname)
            json.member("feed", friend.feed)
            json.member("created_at", friend.createdAt)
            json.member("updated_at", friend.updatedAt)
            json.list("addresses", friend.addresses) { $0.address($1, adding: added) }
            if let waits { json.list("waits_for", waits) { json, reason in json.object { $0.waits(reason) } } }
        }
    }

    private mutating func address(_ record: AddressRecord, adding added: AddedColumns) {
        object { json in
            json.member("id", record.id)
            json.member("label", record.label)
            json.member("street", record.address.street)
            json.member("city", record.address.city)
            json.member("region", record.address.region)
            json.member("postcode", record.address.postcode)
            json.member("country", record.address.country)
            json.member("country_code", record.countryCode)
            json.member("status", record.status.rawValue)
            json.member("reason", record.place.reason)
            json.members(added, of: record.place, but: ["reason"])
            guard let coordinate = record.coordinate else { return json.null("place") }
            json.object("place") { json in
                json.member("latitude", coordinate.latitude)
                json.member("longitude", coordinate.longitude)
                json.member("precision", record.precision)
                json.member("confidence", record.confidence)
                json.member("provider", record.provider)
            }
        }
    }
}
