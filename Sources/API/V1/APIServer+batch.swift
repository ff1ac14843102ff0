import Access
import Contacts
import Formats
import HTTP
import JSON
import Shapes

extension APIServer {
    /// `POST /v1/friends/batch`: several friends at once, by id, or by feed and key. It changes nothing.
    func friendBatch(
        _ request: APIRequest, _ wanted: QueryAndBody<AddedQuery, FriendBatchInput>
    ) async throws -> Reply<FriendBatch> {
        let (added, ids, keys) = (wanted.query.added, wanted.body.ids, wanted.body.keys)
        let (account, language) = (request.caller.account, request.wantedLanguage)
        return try await read(request) { database in
            let contacts = ContactStore()
            let known = try contacts.numbers(of: keys, account: account, on: database)
            var asked: Set<Int> = []
            let wanted = (ids + known.compactMap(\.self)).filter { asked.insert($0).inserted }
            let found = try contacts.friends(wanted, with: added.details, account: account, on: database)
            let there = Set(found.map(\.id))
            let missing = zip(keys, known).filter { $1.map(there.contains) != true }.map(\.0)
            return Reply(
                FriendBatch(
                    friends: found.map { FriendView($0, adding: added, in: language) },
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
