import Access
import Contacts
import Formats
import HTTP
import JSON
import Postgres
import Shapes

/// One friend of a feed, by the key that the feed's source uses.
extension APIServer {
    /// `GET /v1/feeds/{feed}/friends/{key}`
    func feedFriend(_ request: APIRequest, _ query: AddedQuery) async throws -> Reply<FriendView> {
        let (feed, key, account) = (try request.feed(), try request.friendKey(), request.caller.account)
        let found = try await read(request) { database in
            let contacts = ContactStore()
            return try contacts.number(ofKey: key, in: feed, account: account, on: database)
                .flatMap { try contacts.friend($0, account: account, on: database) }
        }
        return try answer(found.orThrow(.notFound), adding: query.added)
    }

    /// `PUT /v1/feeds/{feed}/friends/{key}`: creates or replaces the friend, like a line of the feed.
    func putFeedFriend(_ request: APIRequest) async throws -> Reply<FriendView> {
        let (feed, account) = (try request.feed(), request.caller.account)
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

    /// `DELETE /v1/feeds/{feed}/friends/{key}`
    func removeFeedFriend(_ request: APIRequest) async throws -> ServerResponse {
        let (feed, key, account) = (try request.feed(), try request.friendKey(), request.caller.account)
        return try await write(request) { database in
            let editor = FriendEditor()
            guard let former = try editor.lock(key: key, account: account, on: database), former.feed == feed,
                let friend = try ContactStore().friend(former.id, account: account, on: database)
            else { throw RequestError.notFound }
            try request.require { answer(friend).response }
            _ = try editor.remove([former.id], account: account, on: database)
            return ServerResponse(status: 204)
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
