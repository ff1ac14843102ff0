import Contacts
import Formats
import Geocoding
import Shapes
import Terminal
import Wording

struct FriendsListCommand: Command {
    static let name = "list"
    static let summary = "Show an account's friends, in the order in which they were first stored."
    static let discussion = """
        --label, --country and --status are about the same address:

          waypost friends list --account family --country Finland --status not_found
        """

    @Option("--account", "NAME", "The account that owns the friends.") var account = "default"
    @Option("--feed", "NAME", "Only friends that this feed imported last.") var feed: String?
    @Option("--label", "LABEL", "Only with an address of this label.") var label: String?
    @Option("--country", "Only with an address in this country.") var country: Country?
    @Option("--status", "STATUS", "Only with an address of this status.") var status: GeocodeStatus?
    @Option("--after", "ID", "Only those after this one.", in: 0...) var after = 0
    let list = ListOptions()

    func run() async throws {
        let filter = FriendFilter(feed: feed, label: label, country: country?.code, status: status)
        let limit = list.limit
        try await list.look.show { [account, after] app, db in
            guard let number = try app.contacts.account(named: account, on: db) else {
                throw NoSuchAccount(name: account)
            }
            // One more than requested shows whether there are more.
            let ids = try app.contacts.friends(where: filter, account: number, after: after, limit: limit + 1, on: db)
            return try app.contacts.friends(ids, account: number, on: db)
        } as: { friends in
            friends.prefix(limit).map { FriendView($0, adding: .all, account: account) }
        } write: { friends, screen in
            let shown = friends.prefix(limit)
            guard let last = shown.last else { return screen.writeLine("No friend of the account matches.") }
            var table = Table(.right("FRIEND"), .left("NAME"), .left("KEY"), .left("ADDRESSES"), .left("FEED"))
            for friend in shown {
                table.add("\(friend.id)", friend.name, friend.sourceKey, friend.standing, friend.feed)
            }
            table.write(to: screen)
            if friends.count > limit { list.tellOfMore("--after \(last.id)", on: screen) }
        }
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
