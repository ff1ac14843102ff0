import Access
import Contacts
import Formats
import Geocoding
import HTTP
import Postgres
import Questions
import Queue
import Shapes

extension APIServer {
    /// `GET /v1/friends/{id}`
    func friend(_ request: APIRequest) async throws -> Reply<FriendView> {
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
    func friends(_ request: APIRequest) async throws -> Reply<FriendPage> {
        if request.http.query("updated_since") != nil { return try await changedFriends(request) }
        var query = QueryReader(request.http)
        let limit = query.limit(.records)
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
            let next = ids.count > limit ? found.last?.id : nil
            return Reply(FriendPage(found.map { FriendView($0, adding: added) }, next: next))
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
    ) -> Reply<FriendView> {
        let usual = Reply(FriendView(friend))
        guard added != .usual || waits != nil else { return usual }
        var reply = Reply(FriendView(friend, adding: added, waits: waits))
        reply.response.headers["ETag"] = ETag.of(usual.response.bytes).shown(as: reply.response.bytes).text
        return reply
    }

    /// Refuses a write to a friend that does not fulfil the client's conditions.
    private func require(_ request: APIRequest, friend id: Int, on database: isolated Connection) throws {
        let account = request.caller.account
        try request.require {
            guard try FriendEditor().lock(friend: id, account: account, on: database),
                let friend = try ContactStore().friend(id, account: account, on: database)
            else { throw RequestError.notFound }
            return answer(friend).response
        }
    }

    /// `POST /v1/friends/{id}/geocode`: gives the questions of the friend's addresses the highest priority.
    func hurry(_ request: APIRequest) async throws -> Reply<AskedAddresses> {
        try await ask(request) { id, account, database in
            try FriendEditor().hurry(friend: id, account: account, on: database)
        }
    }

    /// `POST /v1/friends/{id}/retry`: asks the failed and the not-found questions again.
    func retry(_ request: APIRequest) async throws -> Reply<AskedAddresses> {
        try await ask(request) { id, account, database in
            try FriendEditor().retry(friend: id, account: account, on: database)
        }
    }

    /// `POST /v1/addresses/{id}/retry`: asks one address again, whatever its status.
    func askAddressAgain(_ request: APIRequest) async throws -> Reply<AskedAddresses> {
        try request.refuseParameters()
        let (id, caller) = (try request.id(), request.caller)
        return try await write(request) { database in
            let count = try FriendEditor().askAgain(
                address: id, account: caller.account, by: caller.author, on: database)
            guard let count else { throw RequestError.notFound }
            return Reply(AskedAddresses(count: count), status: 202)
        }
    }

    /// Responds with the number of addresses that `ask` returns; not found if it returns nil.
    func ask(
        _ request: APIRequest,
        _ ask: @escaping @Sendable (_ id: Int, _ account: Int, isolated Connection) throws -> Int?
    ) async throws -> Reply<AskedAddresses> {
        try request.refuseParameters()
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, friend: id, on: database)
            guard let count = try ask(id, account, database) else { throw RequestError.notFound }
            return Reply(AskedAddresses(count: count), status: 202)
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

/// The number of addresses that are asked.
struct AskedAddresses: Shaped {
    let count: Int

    static let shape = Shape<AskedAddresses>("Asked", "The addresses that are asked.") {
        Member("addresses", example: 1) { $0.count }
    }
}
