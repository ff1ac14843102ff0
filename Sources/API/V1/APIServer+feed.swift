import Access
import Contacts
import Formats
import HTTP
import JSON
import Postgres
import Shapes

extension APIServer {
    /// A stream of contacts, one on each line.
    ///
    /// Sending the same stream again changes nothing, so it needs no `Idempotency-Key`.
    func importFeed(_ request: APIRequest, _ query: ImportQuery) async throws -> Reply<SourceImport.Outcome> {
        try request.requireLines()
        do {
            return Reply(
                try await importFeed(
                    request.body, query, into: backend.database(of: request.account).withoutLimit))
        } catch let error as ContactError where error.cause == .takenOver {
            throw RequestError(
                status: 409, detail: "Another import of this feed has begun since, and replaces this one.",
                reason: .importReplaced)
        }
    }

    /// Stores the contacts as they arrive. If the body breaks off, the import ends there and no friend is removed.
    private func importFeed(
        _ body: RequestBody, _ query: ImportQuery, into database: AccountDatabase
    ) async throws -> SourceImport.Outcome {
        let rules = ImportRules(feed: query.feed, isComplete: query.isComplete, mayBeEmpty: query.mayBeEmpty)
        let run = ImportRun(rules, database: database, account: database.account)
        var contacts = BodyContacts(body)
        var refusals = try Refusals.Log(of: contacts.name)
        let summary = try await run.run(&contacts) { try refusals.add($0) }
        return SourceImport.Outcome(summary: summary, refusals: try refusals.finish())
    }
}

struct ImportQuery: QueryInput {
    let feed: String, isComplete: Bool, mayBeEmpty: Bool

    init(_ query: inout RequestReader) {
        feed = query.requiredText("feed", within: .feed, "The source that is read again and again.", example: "crm")
        isComplete =
            query.flag(
                "complete", "Soft-delete friends of the feed that are not in the stream.", usual: false, example: true)
            ?? false
        mayBeEmpty =
            query.flag(
                "allow_empty",
                "With `complete=true`: a stream without any contact removes all friends of the feed. Without it, no friend is removed then.",
                usual: false, example: false) ?? false
        if mayBeEmpty, !isComplete { query.mistake("allow_empty", "is for complete=true") }
    }
}

/// The contacts in the body of a request, read as they arrive.
struct BodyContacts: ContactSource {
    let name = "the body"
    let totalSize: Int? = nil
    private var pieces: RequestBody.Iterator
    private var contacts = NDJSONContacts()
    private var isEnded = false

    init(_ body: RequestBody) {
        pieces = body.makeAsyncIterator()
    }

    var bytesRead: Int { contacts.bytesRead }

    mutating func next() async throws -> ContactEntry? {
        while true {
            if let entry = contacts.next() { return entry }
            guard !isEnded else { return nil }
            if let piece = try await pieces.next() {
                contacts.feed(piece)
            } else {
                contacts.end()
                isEnded = true
            }
        }
    }
}

/// One friend of a feed, by the key that the feed's source uses.
extension APIServer {
    @ListBuilder<APIRoute> var feedRoutes: [APIRoute] {
        route(.get, "/v1/feeds/{feed}/friends/{key}", .read, .read, AddedQuery.self) { request, query, db in
            let (feed, key) = (try request.feed(), try request.friendKey())
            let found = try ContactStore().number(ofKey: key, in: feed, account: request.account, on: db)
                .flatMap { try ContactStore().friend($0, account: request.account, on: db) }
            return try answer(found.orThrow(.notFound), adding: query.added)
        }
        .described("getFeedFriend", "Shows a friend by feed and key", .ok("The friend."))
        APIRoute(.put, "/v1/feeds/{feed}/friends/{key}", .write, is: .conditional, putFeedFriend)
            .described(
                "putFeedFriend", "Creates or replaces a friend by feed and key", body: .json(Models.feedFriendInput),
                .stored("Replaced."), .made("Created, restored, or taken from another feed."))
        route(.delete, "/v1/feeds/{feed}/friends/{key}", .write, is: .conditional, .write) { request, db in
            let (feed, key, account) = (try request.feed(), try request.friendKey(), request.account)
            let editor = FriendEditor()
            guard let former = try editor.lock(key: key, account: account, on: db), former.feed == feed,
                let friend = try ContactStore().friend(former.id, account: account, on: db)
            else { throw RequestError.notFound }
            try request.require { answer(friend).response }
            _ = try editor.remove([former.id], account: account, on: db)
            return .nothing
        }
        .described(
            "deleteFeedFriend", "Removes a friend by feed and key", .nothing("Soft-deleted."), refuses: [422])
    }

    /// Creates or replaces the friend, like a line of the feed.
    private func putFeedFriend(_ request: APIRequest) async throws -> Reply<FriendView> {
        let (feed, account) = (try request.feed(), request.account)
        var fields = try await request.fields()
        let friend = try fields.friend(key: request.friendKey())
        return try await write(request) { database in
            let (editor, contacts) = (FriendEditor(), ContactStore())
            try editor.storePins(of: friend, account: account, on: database)
            let former = try editor.lock(key: friend.sourceKey, account: account, on: database)
            let isThere = former.map { $0.feed == feed && !$0.isDeleted } ?? false
            try request.require {
                guard isThere, let id = former?.id else { return nil }
                return try contacts.friend(id, account: account, on: database).map { answer($0).response }
            }
            let (id, isNew) = try editor.put(friend, feed: feed, account: account, on: database)
            // The friend was another feed's, or another request created it after the check.
            let isTakenOver = !isThere && !isNew
            if isTakenOver, former == nil ? !request.conditions.isEmpty : request.conditions.wantsNothing {
                throw RequestError.preconditionFailed
            }
            let stored = try contacts.friend(id, account: account, on: database).orThrow(.notFound)
            let isCreated = !isThere && (former != nil || isNew)
            var reply = answer(stored, in: request.wantedLanguage)
            reply.response.status = isCreated ? 201 : 200
            return reply.showing(request.path)
        }
    }
}

extension APIRequest {
    fileprivate func feed() throws -> String { try name("feed", within: .feed) }
    fileprivate func friendKey() throws -> String { try name("key", within: .key) }

    /// A name in the path. An impossible name is reported as not found.
    private func name(_ parameter: String, within limit: TextLimit) throws -> String {
        guard let name = http.parameters[parameter].flatMap(limit.fitted), !name.isEmpty else {
            throw RequestError.notFound
        }
        return name
    }
}

extension RequestReader {
    /// The friend in the body, in the form of a feed's line. The key comes from the path.
    ///
    /// In a feed, refused parts are left out and the rest is stored, because a person will look at the feed. Here any
    /// refused part refuses the whole request.
    fileprivate mutating func friend(key: String) throws -> Friend {
        if isGiven("key"), text("key", within: .key) ?? "" != key { mistake("key", "is another than in the path") }
        var friend: Friend?
        for entry in NDJSONContacts.entries(of: members, key: key) {
            switch entry {
            case .contact(_, let contact): friend = contact
            case .refused(_, let reason), .noted(_, let reason): mistake("contact", reason)
            }
        }
        if let friend, friend.sourceKey != key { mistake("key", "begins or ends with white space") }
        try finish()
        guard let friend else { preconditionFailure("a member that is not a contact is refused") }
        return friend
    }
}
