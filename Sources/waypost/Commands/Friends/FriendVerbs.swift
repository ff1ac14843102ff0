import Contacts
import Formats
import Geocoding
import Postgres
import Processes
import Questions
import Queue
import Shapes
import Terminal

enum FriendVerbs {
    static let group = Node.group(
        "friends", "See friends and their places, and hurry or retry one.", [list, show, geocode, retry, purge])

    private struct Listed: VerbInput {
        @Option("--account", "NAME", "The account that owns the friends.") var account = "default"
        @Option("--feed", "NAME", "Only friends that this feed imported last.") var feed: String?
        @Option("--label", "LABEL", "Only with an address of this label.") var label: String?
        @Option("--country", "Only with an address in this country.") var country: Country?
        @Option("--status", "STATUS", "Only with an address of this status.") var status: GeocodeStatus?
        @Option("--after", "ID", "Only those after this one.", in: 0...) var after = 0
    }

    private static let list = Node.pages(
        "list", Listed.self, "Show an account's friends, in the order in which they were first stored.",
        """
        --label, --country and --status are about the same address:

          waypost friends list --account family --country Finland --status not_found
        """,
        look: { input, limit, app, db in
            guard let account = try app.contacts.account(named: input.account, on: db) else {
                throw NoSuchAccount(name: input.account)
            }
            let filter = FriendFilter(
                feed: input.feed, label: input.label, country: input.country?.code, status: input.status)
            let ids = try app.contacts.friends(
                where: filter, account: account, after: input.after, limit: limit, on: db)
            return try app.contacts.friends(ids, account: account, on: db)
        }, as: { friend, input in FriendView(friend, adding: .all, account: input.account) },
        empty: { _ in "No friend of the account matches." },
        [
            .right("FRIEND") { "\($0.id)" }, .left("NAME") { $0.name }, .left("KEY") { $0.sourceKey },
            .left("ADDRESSES") { $0.standing }, .left("FEED") { $0.feed },
        ], next: { last, _ in "--after \(last.id)" })

    private struct Shown: VerbInput {
        @Argument("ID", "The friend; 'waypost friends list' shows the numbers.", in: 1...) var id: Int
    }

    private static let show = Node.show(
        "show", Shown.self, "Show a friend, the place of each address, and why a waiting one waits.",
        look: { input, app, db in
            guard let known = try KnownFriend(input.id, app, on: db) else { throw NoSuchFriend(id: input.id) }
            return known
        }, as: { FriendView($0.friend, adding: .all, account: $0.account, whys: $0.whys) },
        write: { $0.write(to: $1) })

    private struct OneFriend: VerbInput {
        @Argument("ID", "The friend.", in: 1...) var id: Int
    }

    private static let geocode = Node.act(
        "geocode", OneFriend.self, "Geocode a friend's waiting addresses before background work."
    ) { input, app, db in
        let id = input.id
        let count = try FriendEditor().hurry(friend: id, account: app.account(ofFriend: id, on: db), on: db)
        guard let count else { throw NoSuchFriend(id: id) }
        return count == 0
            ? "No address of friend \(id) waits; 'waypost friends retry \(id)' asks the others again."
            : "\(Words.count(count, "address goes", "addresses go")) first now."
    }

    private static let retry = Node.act(
        "retry", OneFriend.self,
        "Ask a friend's addresses again that failed or were not found, before background work."
    ) { input, app, db in
        let id = input.id
        let count = try FriendEditor().retry(friend: id, account: app.account(ofFriend: id, on: db), on: db)
        guard let count else { throw NoSuchFriend(id: id) }
        return count == 0
            ? "No address of friend \(id) failed or was not found."
            : "\(Words.count(count, "address is", "addresses are")) asked again, before background work."
    }

    private struct Purged: ConfirmedInput {
        @Option("--older-than", "Only friends soft-deleted at least so long ago.", in: Duration.zero...)
        var age: Duration
        @Flag("--yes", "Don't ask for confirmation.") var yes
    }

    private static let purge = Node.confirmed(
        "purge", Purged.self, "Delete soft-deleted friends for good.",
        """
        Friends missing from a complete source, or deleted over the API, are hidden but kept. This deletes them \
        with their addresses, of all accounts. Answers of providers stay; 'waypost cache purge' deletes those.

          waypost friends purge --older-than 30d
        """,
        find: { input, _, db in
            let count = try AddressSweep().countDeleted(olderThan: input.age, on: db)
            if count == 0 { throw NothingToDo(sentence: "No friend was soft-deleted so long ago.") }
            return count
        }, question: { count, _ in "Delete \(Words.count(count, "friend")) for good?" }
    ) { _, input, app in
        let purged = try await AddressSweep().purgeDeleted(olderThan: input.age, by: .current, on: app.database)
        return "Deleted \(Words.count(purged, "friend"))."
    }
}

extension Application {
    /// The id of the account that owns a friend.
    fileprivate func account(ofFriend id: Int, on database: isolated Connection) throws -> Int {
        guard let account = try contacts.account(ofFriend: id, on: database) else { throw NoSuchFriend(id: id) }
        return account.id
    }
}

extension FriendRecord {
    /// `1 located, 1 waiting`
    fileprivate var standing: String {
        let statuses = Dictionary(grouping: addresses, by: \.status)
        return GeocodeStatus.allCases.compactMap { status in
            statuses[status].map { "\(Readable.count($0.count)) \(status.words)" }
        }.joined(separator: ", ")
    }
}
