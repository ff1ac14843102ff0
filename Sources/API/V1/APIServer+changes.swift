import Access
import Contacts
import Formats
import HTTP
import Shapes

extension APIServer {
    /// `GET /v1/friends?updated_since=…`: friends changed or removed since an earlier response.
    func changedFriends(_ request: APIRequest) async throws -> Reply<FriendPage> {
        var query = QueryReader(request.http)
        let limit = query.limit(.records)
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
            return Reply(FriendPage(changes, adding: added))
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
