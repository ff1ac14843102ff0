import Access
import Contacts
import Formats
import HTTP
import JSON
import Shapes

extension APIServer {
    /// `POST /v1/friends/batch`: several friends at once, by id, or by feed and key. It changes nothing.
    func friendBatch(_ request: APIRequest) async throws -> Reply<FriendBatch> {
        var query = QueryReader(request.http)
        let added = query.added("add")
        try query.finish()
        var fields = try await request.fields()
        let (ids, keys) = (fields.ids("ids"), fields.feedKeys("keys"))
        if ids.count + keys.count > FeedKey.mostInBatch {
            fields.mistake("ids", "and keys are more than \(FeedKey.mostInBatch) together")
        }
        try fields.finish()
        let account = request.caller.account
        return try await backend.database(of: account).run { database in
            let contacts = ContactStore()
            let known = try contacts.numbers(of: keys, account: account, on: database)
            var asked: Set<Int> = []
            let wanted = (ids + known.compactMap(\.self)).filter { asked.insert($0).inserted }
            let found = try contacts.friends(wanted, account: account, on: database)
            let there = Set(found.map(\.id))
            let missing = zip(keys, known).filter { $1.map(there.contains) != true }.map(\.0)
            return Reply(
                FriendBatch(
                    friends: found.map { FriendView($0, adding: added) },
                    missing: FriendBatch.Missing(ids: ids.filter { !there.contains($0) }, keys: missing)))
        }
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

extension FieldReader {
    /// A list of our ids; empty if the member is missing or null.
    mutating func ids(_ name: String) -> [Int] {
        items(name).compactMap { item in
            if case .number(let number) = item, let id = Int(exactly: number), id > 0 { return id }
            if !isMistaken(name) { mistake(name, "is no list of whole numbers above 0") }
            return nil
        }
    }

    fileprivate mutating func feedKeys(_ name: String) -> [FeedKey] {
        items(name).compactMap { item in
            if case .text(let feed) = item.object?["feed"], case .text(let key) = item.object?["key"],
                TextLimit.feed.permits(feed), TextLimit.key.permits(key), !(feed + key).utf8.contains(0)
            {
                return FeedKey(feed: feed, key: key)
            }
            if !isMistaken(name) { mistake(name, "is no list of objects with the texts feed and key") }
            return nil
        }
    }

    private mutating func items(_ name: String) -> [JSONValue] {
        guard let value = members[name], value != .null else { return [] }
        guard let list = value.list else {
            mistake(name, "is no list")
            return []
        }
        return list
    }
}
