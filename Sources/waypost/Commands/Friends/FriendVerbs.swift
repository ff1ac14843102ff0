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
                throw Failure.noAccount(input.account)
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
            guard let known = try KnownFriend(input.id, app, on: db) else { throw Failure.noFriend(input.id) }
            return known
        }, as: { FriendView($0.friend, adding: .all, account: $0.account, whys: $0.whys) },
        write: { $0.write(to: $1) })

    private struct OneFriend: VerbInput {
        @Argument("ID", "The friend.", in: 1...) var id: Int
    }

    private static let geocode = asking(
        "geocode", "Geocode a friend's waiting addresses before background work.",
        { try FriendEditor().hurry(friend: $0, account: $1, on: $2) },
        none: { "No address of friend \($0) waits; 'waypost friends retry \($0)' asks the others again." },
        some: { "\(Words.count($0, "address goes", "addresses go")) first now." })

    private static let retry = asking(
        "retry", "Ask a friend's addresses again that failed or were not found, before background work.",
        { try FriendEditor().retry(friend: $0, account: $1, on: $2) },
        none: { "No address of friend \($0) failed or was not found." },
        some: { "\(Words.count($0, "address is", "addresses are")) asked again, before background work." })

    /// A verb that asks addresses of a friend. `ask` returns how many.
    private static func asking(
        _ name: String, _ summary: String,
        _ ask: @escaping @Sendable (_ friend: Int, _ account: Int, isolated Connection) throws -> Int?,
        none: @escaping @Sendable (_ id: Int) -> String, some: @escaping @Sendable (_ count: Int) -> String
    ) -> Node {
        .act(name, OneFriend.self, summary) { input, app, db in
            let id = input.id
            let account = try app.contacts.account(ofFriend: id, on: db)?.id
            guard let account, let count = try ask(id, account, db) else { throw Failure.noFriend(id) }
            return Report(count == 0 ? none(id) : some(count))
        }
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

extension FriendRecord {
    /// `1 located, 1 waiting`
    fileprivate var standing: String {
        let statuses = Dictionary(grouping: addresses, by: \.status)
        return GeocodeStatus.allCases.compactMap { status in
            statuses[status].map { "\(Readable.count($0.count)) \(status.words)" }
        }.joined(separator: ", ")
    }
}

/// A friend, with the reason for each address that waits.
struct KnownFriend: Sendable {
    let friend: FriendRecord
    let account: String
    /// By the ids of the addresses.
    let whys: [Int: String]

    init?(_ id: Int, _ app: Application, on database: isolated Connection) throws {
        guard let account = try app.contacts.account(ofFriend: id, on: database),
            let friend = try app.contacts.friend(id, account: account.id, on: database)
        else { return nil }
        (self.friend, self.account) = (friend, account.name)
        let jobs = try app.contacts.jobs(ofFriend: id, on: database)
        var whys: [Int: String] = [:]
        for address in friend.addresses where address.status == .waiting {
            let circumstances = try jobs[address.id].flatMap { try app.queue.circumstances(of: $0, on: database) }
            // The coordinator's sweep finds addresses that another program wrote, and those that lost their job.
            whys[address.id] =
                circumstances.map { WhyJobWaits($0).advice(job: $0.job.id, lane: $0.lane) }
                ?? "It is in no job yet: the leading coordinator enqueues it at its next sweep."
        }
        self.whys = whys
    }

    func write(to screen: Screen) {
        var facts = Table(.left("FRIEND"), .left("\(friend.id)"))
        facts.add("name", friend.name)
        facts.add("key", friend.sourceKey)
        facts.add("account", account)
        facts.add("feed", friend.feed.isEmpty ? "none" : friend.feed)
        facts.add("updated", friend.updatedAt)
        facts.write(to: screen)
        for address in friend.addresses { write(address, to: screen) }
    }

    private func write(_ record: AddressRecord, to screen: Screen) {
        screen.writeLine()
        let address = record.address
        let line = Words.line([address.street, address.city, address.region, address.postcode, address.country])
        var facts = Table(.left("ADDRESS"), .left(line))
        if !record.label.isEmpty { facts.add("label", record.label) }
        facts.add("status", record.status.words)
        if let coordinate = record.coordinate { facts.add("coordinate", coordinate.word) }
        if let place = record.place.placemark { facts.add("place", place.addressText()) }
        if let precision = record.place.precision {
            let weakness = record.place.isWeak ? Doubt.coarseness(of: precision) : nil
            facts.add("precision", weakness ?? precision.rawValue)
        }
        if let confidence = record.place.confidence { facts.add("confidence", Words.share(confidence)) }
        if record.place.isWeak, let area = record.place.areaConfidence {
            facts.add("area confidence", Words.share(area))
        }
        if let provider = record.provider {
            facts.add(record.coordinate == nil ? "asked last" : "found by", provider)
        }
        if record.status != .waiting, let reason = record.place.reason { facts.add("reason", reason) }
        facts.write(to: screen)
        // The sentence is written below the table, because a narrow window would cut a cell.
        if let why = whys[record.id] { screen.writeLine(why) }
    }
}
