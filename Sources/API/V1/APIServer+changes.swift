import Access
import Contacts
import Formats
import HTTP
import Shapes

extension APIServer {
    /// `GET /v1/friends?updated_since=…`: friends changed or removed since an earlier response.
    func changedFriends(
        _ request: APIRequest, since cursor: ChangeCursor?, _ query: FriendsQuery
    ) async throws -> Reply<FriendPage> {
        let (account, language) = (request.caller.account, request.wantedLanguage)
        let oldestOpen = backend.standby?.oldestOpen
        // A standby that is not sure throws, so the database answers.
        return try await read(request) { database in
            let changes: FriendChanges
            do {
                changes = try ContactStore().changes(
                    after: cursor, account: account, limit: query.limit, oldestOpen: oldestOpen, on: database)
            } catch is ChangesAreLost {
                throw RequestError.changesAreLost
            }
            return Reply(FriendPage(changes, adding: query.added, in: language))
        }
    }
}

extension RequestError {
    fileprivate static let changesAreLost = RequestError(
        status: 410,
        detail: "Removed friends were deleted for good since, or the database is another one; begin again with 0.",
        monicaCode: 31)
}
