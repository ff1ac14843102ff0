import Access
import Contacts
import Formats
import HTTP
import JSON

extension APIServer {
    /// `GET /v1/friends?updated_since=…`: friends changed or removed since an earlier response.
    func changedFriends(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        let limit = query.integer("limit", in: 1...1_000) ?? 100
        let cursor = query.changeCursor("updated_since")
        let added = query.added("add")
        try query.finish()
        let account = request.caller.account
        return try await backend.database(of: account).run { database in
            let changes: FriendChanges
            do {
                changes = try ContactStore().changes(after: cursor, account: account, limit: limit, on: database)
            } catch is ChangesAreLost {
                throw RequestError.changesAreLost
            }
            return .json { json in
                json.object { json in
                    json.list("data", changes.friends) { $0.friend($1, adding: added) }
                    json.list("removed", changes.removed) { json, friend in
                        json.object { json in
                            json.member("id", friend.id)
                            json.member("key", friend.sourceKey)
                            json.member("feed", friend.feed)
                            json.member("removed_at", friend.removedAt)
                        }
                    }
                    json.member("next_after", nil as Int?)
                    json.member("next_since", changes.next.text)
                    json.member("has_more", changes.isMore)
                }
            }
        }
    }
}

extension QueryReader {
    /// 0 means the beginning, and gives nil. A time is not accepted, because a change before that time may be committed
    /// after it.
    fileprivate mutating func changeCursor(_ name: String) -> ChangeCursor? {
        guard let text = text(name, within: .user), text != "0" else { return nil }
        return ChangeCursor(text) ?? mistake(name, "is neither 0 nor the next_since of an earlier answer")
    }
}

extension RequestError {
    fileprivate static let changesAreLost = RequestError(
        status: 410,
        detail: "Removed friends were deleted for good since, or the database is another one; begin again with 0.",
        monicaCode: 31)
}
