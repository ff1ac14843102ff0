import Contacts
import Postgres
import Terminal

struct FriendsGeocodeCommand: Command {
    static let name = "geocode"
    static let summary = "Put what waits of a friend's addresses before all that nobody is waiting for."

    @Argument("ID", "The friend.", in: 1...) var id: Int

    func run() async throws {
        let count = try await Application.asking { [id] app, db in
            try app.contacts.account(ofFriend: id, on: db)
                .flatMap { try app.intake.hurry(friend: id, account: $0.id, on: db) }
        }
        guard let count else { throw NoSuchFriend(id: id) }
        Screen.output.writeLine(
            count == 0
                ? "Nothing of friend \(id) waits; 'waypost friends retry \(id)' asks again for what was not found."
                : "\(Words.count(count, "address goes", "addresses go")) first now.")
    }
}

struct FriendsRetryCommand: Command {
    static let name = "retry"
    static let summary = "Ask again, before all others, for a friend's addresses that failed or were not found."

    @Argument("ID", "The friend.", in: 1...) var id: Int

    func run() async throws {
        let count = try await Application.asking { [id] app, db in
            try app.contacts.account(ofFriend: id, on: db)
                .flatMap { try app.intake.retry(friend: id, account: $0.id, on: db) }
        }
        guard let count else { throw NoSuchFriend(id: id) }
        Screen.output.writeLine(
            count == 0
                ? "Nothing of friend \(id) failed or was not found."
                : "\(Words.count(count, "address is", "addresses are")) asked for again, before all others.")
    }
}
