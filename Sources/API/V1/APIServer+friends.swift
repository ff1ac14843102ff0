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
    func friend(_ request: APIRequest, _ query: FriendQuery) async throws -> Reply<FriendView> {
        let (id, account) = (try request.id(), request.caller.account)
        if query.added == .usual, !query.tellsWaits, request.position == nil {
            let found = try await friendReads.value(of: id, in: account) { try await read(request, $0) }
            return try answer(found.orThrow(.notFound), in: request.wantedLanguage)
        }
        let (found, waits) = try await read(request) { database in
            let found = try ContactStore().friend(id, account: account, on: database)
            return (found, query.tellsWaits ? try self.waits(ofFriend: id, account: account, on: database) : nil)
        }
        return try answer(found.orThrow(.notFound), adding: query.added, waits, in: request.wantedLanguage)
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
    func friends(_ request: APIRequest, _ query: FriendsQuery) async throws -> Reply<FriendPage> {
        if let since = query.since { return try await changedFriends(request, since: since, query) }
        let (account, language) = (request.caller.account, request.wantedLanguage)
        // Long responses are written on the connection's thread. Swift's own threads are only as many as the cores, and
        // short responses need them.
        return try await read(request) { database in
            let contacts = ContactStore()
            let page = try Page(query.limit, next: \.self) {
                try contacts.friends(
                    where: query.filter, account: account, after: query.after, limit: $0, on: database)
            }
            let found = try contacts.friends(page.items, with: query.added.details, account: account, on: database)
            return Reply(FriendPage(found.map { FriendView($0, adding: query.added, in: language) }, next: page.next))
        }
    }

    /// `DELETE /v1/friends/{id}`
    func removeFriend(_ request: APIRequest) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, friend: id, on: database)
            guard try FriendEditor().remove([id], account: account, on: database) > 0 else {
                throw RequestError.notFound
            }
            return ServerResponse(status: 204)
        }
    }

    /// The friend with its tag. The tag is that of the usual columns and of no language, so writes can be compared
    /// whatever columns were added.
    func answer(
        _ friend: FriendRecord, adding added: AddedColumns = .usual, _ waits: [WaitReason]? = nil,
        in language: Language? = nil
    ) -> Reply<FriendView> {
        let usual = Reply(FriendView(friend))
        guard added != .usual || waits != nil || language != nil else { return usual }
        var reply = Reply(FriendView(friend, adding: added, waits: waits, in: language))
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
        let (id, caller) = (try request.id(), request.caller)
        return try await write(request) { database in
            let count = try FriendEditor().askAgain(
                address: id, account: caller.account, by: caller.author, on: database)
            return try Reply(AskedAddresses(count: count.orThrow(.notFound)), status: 202)
        }
    }

    /// Responds with the number of addresses that `ask` returns; not found if it returns nil.
    func ask(
        _ request: APIRequest,
        _ ask: @escaping @Sendable (_ id: Int, _ account: Int, isolated Connection) throws -> Int?
    ) async throws -> Reply<AskedAddresses> {
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, friend: id, on: database)
            let count = try ask(id, account, database).orThrow(.notFound)
            return Reply(AskedAddresses(count: count), status: 202)
        }
    }
}

extension AddedColumns {
    /// The details of friends that these columns show.
    var details: FriendDetails { self == .usual ? .placeNames : .addedColumns }
}

struct FriendQuery: QueryInput {
    let added: AddedColumns, tellsWaits: Bool

    init(_ query: inout RequestReader) {
        added = query.added()
        tellsWaits = query.flag("waits_for", "Also tell why its addresses wait.", usual: false, example: true) ?? false
    }
}

struct FriendsQuery: QueryInput {
    let limit: Int, after: Int, added: AddedColumns
    /// Nil if no changes are requested, and `.some(nil)` for all changes.
    let since: ChangeCursor??
    var filter = FriendFilter()

    init(_ query: inout RequestReader) {
        limit = query.limit(.records)
        after = query.integer("after", in: 0...Int.max, "`next_after` of the page before.", usual: 0, example: 0)
        // A time is not accepted, because a change before that time may be committed after it.
        since = query.parsed(
            "updated_since", .text(0...200).matching(#"^(0|[0-9a-z]+(\.[0-9a-z]+){3})$"#), within: .user,
            "Who has changed since, and who was removed: `0` for all, or `next_since` of an earlier answer. Only `limit` and `add` may be with it. Go on at once while `has_more` is true.",
            example: "0", refusal: "is neither 0 nor the next_since of an earlier answer"
        ) { $0 == "0" ? .some(nil) : ChangeCursor($0).map { .some($0) } }
        filter.name = query.text(
            "query", "Only friends whose names contain this text, in upper or lower case.", example: "ada")
        filter.feed = query.text("feed", within: .feed, example: "crm")
        filter.label = query.text("label", "One of their addresses has this label.", example: "home")
        filter.country = query.country(
            "One of their addresses is there, and has the label, if both are given.", example: "US")
        filter.status = query.choice("status", of: GeocodeStatus.allCases, example: "located")
        added = query.added()
        guard query.isGiven("updated_since") else { return }
        for name in ["after", "query", "feed", "label", "country", "status"] where query.isGiven(name) {
            query.mistake(name, "does not go with updated_since")
        }
    }
}

extension RequestReader {
    /// A code of ISO 3166-1 alpha-2, in capitals.
    mutating func country(_ help: String, example: JSONText?) -> String? {
        parsed(
            "country", .text.matching("^[A-Z]{2}$"), help, example: example,
            refusal: "must be a code of two capitals"
        ) { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? $0 : nil }
    }
}

/// The number of addresses that are asked.
struct AskedAddresses: Shaped {
    let count: Int

    static let shape = Shape<AskedAddresses>("Asked", "The addresses that are asked.") {
        Member("addresses", example: 1) { $0.count }
    }
}
