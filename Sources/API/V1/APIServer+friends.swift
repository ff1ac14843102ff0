import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var friendRoutes: [APIRoute] {
        APIRoute(.get, "/v1/friends", .read) { (request, query: FriendsQuery) in
            // Taken before the data is read: a standby that is not sure throws, so the database answers.
            let oldestOpen = backend.standby?.oldestOpen
            return try await read(request) { try friends(request, query, oldestOpen: oldestOpen, on: $0) }
        }
        .described("getFriends", "Lists friends", .ok("Friends by their numbers."), refuses: [410])
        APIRoute(.put, "/v1/friends", .write, is: [.unremembered, .outlasting], importFeed)
            .described(
                "putFriends", "Takes in a stream of contacts, one in a line",
                body: .contacts, .ok("The counts of the import."), refuses: [409])
        route(
            .post, "/v1/friends/batch", .read, is: .unremembered, .read, QueryAndBody<AddedQuery, FriendBatchInput>.self
        ) { try friendBatch($0, $1, on: $2) }
        .described("postFriendsBatch", "Shows several friends", .ok("The friends, and which are missing."))
        APIRoute(.get, "/v1/friends/{id}", .read, friend)
            .described("getFriend", "Shows a friend with all addresses and places", .ok("The friend."))
        route(.delete, "/v1/friends/{id}", .write, is: .conditional, .write) { request, db in
            let id = try request.id()
            try require(request, friend: id, on: db)
            guard try FriendEditor().remove([id], account: request.account, on: db) > 0 else {
                throw RequestError.notFound
            }
            return .nothing
        }
        .described("deleteFriend", "Removes a friend", .nothing("Soft-deleted."), refuses: [422])
        // Gives the questions of the friend's addresses the highest priority.
        asking("geocode") { id, request, db in try FriendEditor().hurry(friend: id, account: request.account, on: db) }
            .described(
                "postFriendGeocode", "Geocodes a friend's waiting addresses before background work", .underWay,
                refuses: [422])
        asking("retry") { id, request, db in try FriendEditor().retry(friend: id, account: request.account, on: db) }
            .described(
                "postFriendRetry", "Asks a friend's addresses again that failed or were not found", .underWay,
                refuses: [422])
        asking("rematch") { id, request, db in
            try FriendEditor().rematch(friend: id, account: request.account, by: request.author, on: db)
        }
        .described(
            "postFriendRematch", "Asks a friend's located addresses again, to get better answers",
            details: "The old places stay until better ones are there; what a person decided is never asked.",
            .underWay, refuses: [422])
        route(.post, "/v1/addresses/{id}/retry", .write, .write) { request, db in
            let count = try FriendEditor().askAgain(
                address: request.id(), account: request.account, by: request.author, on: db)
            return try Reply(AskedAddresses(count: count.orThrow(.notFound)), status: 202)
        }
        .described(
            "postAddressRetry", "Asks again for one address, whatever is known of it",
            details: "A place stays until a better one is there. `addresses` is 0 where a person decided.",
            .underWay, refuses: [422])
    }

    /// A route that asks addresses of a friend, and responds with their number.
    private func asking(
        _ act: String,
        _ ask: @escaping @Sendable (_ friend: Int, APIRequest, isolated Connection) throws -> Int?
    ) -> APIRoute {
        route(.post, "/v1/friends/{id}/\(act)", .write, is: .conditional, .write) { request, db in
            let id = try request.id()
            try require(request, friend: id, on: db)
            let count = try ask(id, request, db).orThrow(.notFound)
            return Reply(AskedAddresses(count: count), status: 202)
        }
    }

    private func friend(_ request: APIRequest, _ query: FriendQuery) async throws -> Reply<FriendView> {
        let (id, account) = (try request.id(), request.account)
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

    /// Pages by id, so that every page costs the same. A long response is written on the connection's thread: Swift's own
    /// threads are only as many as the cores, and short responses need them.
    private func friends(
        _ request: APIRequest, _ query: FriendsQuery, oldestOpen: Int?, on database: isolated Connection
    ) throws -> Reply<FriendPage> {
        let (contacts, account, language) = (ContactStore(), request.account, request.wantedLanguage)
        if let since = query.since {
            do {
                let changes = try contacts.changes(
                    after: since, account: account, limit: query.limit, oldestOpen: oldestOpen, on: database)
                return Reply(FriendPage(changes, adding: query.added, in: language))
            } catch is ChangesAreLost {
                throw RequestError.changesAreLost
            }
        }
        let page = try Page(query.limit, next: \.self) {
            try contacts.friends(where: query.filter, account: account, after: query.after, limit: $0, on: database)
        }
        let found = try contacts.friends(page.items, with: query.added.details, account: account, on: database)
        return Reply(FriendPage(found.map { FriendView($0, adding: query.added, in: language) }, next: page.next))
    }

    /// Several friends, by id, or by feed and key.
    private func friendBatch(
        _ request: APIRequest, _ wanted: QueryAndBody<AddedQuery, FriendBatchInput>, on database: isolated Connection
    ) throws -> Reply<FriendBatch> {
        let (added, ids, keys, account) = (wanted.query.added, wanted.body.ids, wanted.body.keys, request.account)
        let contacts = ContactStore()
        let known = try contacts.numbers(of: keys, account: account, on: database)
        var asked: Set<Int> = []
        let wanted = (ids + known.compactMap(\.self)).filter { asked.insert($0).inserted }
        let found = try contacts.friends(wanted, with: added.details, account: account, on: database)
        let there = Set(found.map(\.id))
        let missing = zip(keys, known).filter { $1.map(there.contains) != true }.map(\.0)
        return Reply(
            FriendBatch(
                friends: found.map { FriendView($0, adding: added, in: request.wantedLanguage) },
                missing: FriendBatch.Missing(ids: ids.filter { !there.contains($0) }, keys: missing)))
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
        let account = request.account
        try request.require {
            guard try FriendEditor().lock(friend: id, account: account, on: database),
                let friend = try ContactStore().friend(id, account: account, on: database)
            else { throw RequestError.notFound }
            return answer(friend).response
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

/// The friends of a batch, and those that were not found.
struct FriendBatch: Shaped {
    struct Missing: Shaped {
        let ids: [Int]
        let keys: [FeedKey]

        static let shape = Shape<Missing>("MissingFriends", "Requested friends that were not found.") {
            Member("ids", example: [7]) { $0.ids }
            Member("keys") { $0.keys }
        }
    }

    let friends: [FriendView]
    let missing: Missing

    static let shape = Shape<FriendBatch>("FriendBatch", "The friends of a batch.") {
        Member("data") { $0.friends }
        Member("missing") { $0.missing }
    }
}

struct FriendBatchInput: BodyInput {
    static let summary = "At most 1,000 together."
    let ids: [Int], keys: [FeedKey]

    init(_ body: inout RequestReader) {
        ids = body.ids("ids", example: [1])
        keys = body.objects(
            "keys", 0...FeedKey.mostInBatch, model: "FeedKeyInput", example: [["feed": "crm", "key": "17"]]
        ) { key in
            FeedKey(
                feed: key.text("feed", schema: .text(0...500), within: .feed, example: "crm", isRequired: true) ?? "",
                key: key.text("key", schema: .text(0...500), within: .key, example: "17", isRequired: true) ?? "")
        }
        if ids.count + keys.count > FeedKey.mostInBatch {
            body.mistake("ids", "and keys are more than \(FeedKey.mostInBatch) together")
        }
    }
}

extension RequestError {
    fileprivate static let changesAreLost = RequestError(
        status: 410,
        detail: "Removed friends were deleted for good since, or the database is another one; begin again with 0.")
}

extension Body {
    /// A stream of contacts, as in the format NDJSON.
    static let contacts = Body.lines(
        "{\"key\":\"17\",\"name\":\"Ada Lovelace\",\"addresses\":[{\"label\":\"home\",\"street\":\"1 Main St\",\"city\":\"Reno\",\"country\":\"US\"}]}\n{\"key\":\"18\",\"name\":\"Charles Babbage\"}\n",
        orBytes: true)
}
