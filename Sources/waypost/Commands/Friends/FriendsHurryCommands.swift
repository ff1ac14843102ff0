import Contacts
import Postgres
import Terminal
import Wording

struct FriendsGeocodeCommand: ChangingCommand {
    static let name = "geocode"
    static let summary = "Geocode a friend's waiting addresses before background work."

    @Argument("ID", "The friend.", in: 1...) var id: Int

    func run() async throws {
        let count = try await Application.asking(about: id) { [id] account, db in
            try FriendEditor().hurry(friend: id, account: account, on: db)
        }
        Screen.output.writeLine(
            count == 0
                ? "No address of friend \(id) waits; 'waypost friends retry \(id)' asks the others again."
                : "\(Words.count(count, "address goes", "addresses go")) first now.")
    }
}

struct FriendsRetryCommand: ChangingCommand {
    static let name = "retry"
    static let summary = "Ask a friend's addresses again that failed or were not found, before background work."

    @Argument("ID", "The friend.", in: 1...) var id: Int

    func run() async throws {
        let count = try await Application.asking(about: id) { [id] account, db in
            try FriendEditor().retry(friend: id, account: account, on: db)
        }
        Screen.output.writeLine(
            count == 0
                ? "No address of friend \(id) failed or was not found."
                : "\(Words.count(count, "address is", "addresses are")) asked again, before background work.")
    }
}

extension Application {
    /// Prints the number of the friend's addresses that `ask` returns.
    fileprivate static func asking(
        about friend: Int,
        _ ask: @escaping @Sendable (_ account: Int, isolated Connection) throws -> Int?
    ) async throws -> Int {
        let count = try await asking { app, db in
            try app.contacts.account(ofFriend: friend, on: db).flatMap { try ask($0.id, db) }
        }
        guard let count else { throw NoSuchFriend(id: friend) }
        return count
    }
}
