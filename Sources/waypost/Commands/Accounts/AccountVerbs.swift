import Access
import Contacts
import Locations
import Postgres
import Shapes
import Sinks
import Terminal

enum AccountVerbs {
    static let group = Node.group(
        "accounts", "See, create, rename and delete accounts.", [list, create, rename, delete])

    private static let list = Node.list(
        "list", NoInput.self, "Show the accounts, and how much each has.",
        look: { _, _, db in
            let tokens = Dictionary(grouping: try TokenStore().list(on: db), by: \.account)
            let sinks = Dictionary(grouping: try SinkStore().sinks(on: db), by: \.account)
            let trackers = try TrackerStore().countByAccount(on: db)
            return try ContactStore().accounts(on: db).map { account in
                AccountSummary(
                    name: account.name, chain: account.chain, friends: account.friends, addresses: account.addresses,
                    tokens: tokens[account.name]?.count { $0.state == .good } ?? 0,
                    trackers: trackers[account.id] ?? 0, sinks: sinks[account.id]?.count ?? 0)
            }
        }, as: { $0 }, empty: "There is no account. Create one with 'waypost accounts create'.",
        [
            .left("ACCOUNT") { $0.name }, .left("CHAIN") { $0.chain }, .right("FRIENDS") { "\($0.friends)" },
            .right("ADDRESSES") { "\($0.addresses)" }, .right("TOKENS") { "\($0.tokens)" },
            .right("TRACKERS") { "\($0.trackers)" }, .right("SINKS") { "\($0.sinks)" },
        ])

    private struct NewAccount: VerbInput {
        @Argument("NAME", "Its name.") var account: String

        func check() throws {
            if account.isEmpty { throw UsageError("NAME is empty; give the account a name") }
        }
    }

    private static let create = Node.act(
        "create", NewAccount.self, "Create an account.",
        """
        An account has its own friends, trackers, sinks and tokens, which no other account sees. Answers of providers are shared. \
        'waypost import' and 'waypost tokens create' create an account too, if there is none with the name.
        """
    ) { input, app, db in
        let name = input.account
        try app.contacts.createAccount(named: name, by: .current, on: db)
        return
            "Created the account \(name). Give it a token: waypost tokens create NAME --account \(name) --scope read"
    }

    private struct Renamed: VerbInput {
        @Argument("NAME", "The account.") var account: String
        @Argument("NEW-NAME", "Its new name.") var newName: String

        func check() throws {
            if newName.isEmpty { throw UsageError("NEW-NAME is empty; give the account a name") }
            try refuseUsual(account)
        }
    }

    private static let rename = Node.act(
        "rename", Renamed.self, "Give an account another name. Its tokens stay good."
    ) { input, app, db in
        let (old, new) = (input.account, input.newName)
        guard try app.contacts.renameAccount(old, to: new, by: .current, on: db) else {
            throw Failure.noAccount(old, advice: "'waypost accounts list' shows all")
        }
        return Report(
            "The account \(old) is now called \(new).",
            note: "Change --account \(old) in scripts: 'import' and 'tokens create' would create a new account \(old).")
    }

    private struct Deleted: ConfirmedInput {
        @Argument("NAME", "The account.") var account: String
        @Flag("--yes", "Don't ask for confirmation.") var yes

        func check() throws { try refuseUsual(account) }
    }

    private static let delete = Node.confirmed(
        "delete", Deleted.self, "Delete an account for good, with all that it has.",
        """
        Deletes its tokens first, then its trackers with their positions, its sinks, and its friends with their addresses, in steps. If it \
        is interrupted, run it again: it goes on with what is left. Answers of providers stay; 'waypost cache purge' deletes those. \
        Backups that were made before still have everything.
        """,
        find: { input, app, db in
            guard let removal = try AccountRemoval.plan(for: input.account, in: app, on: db) else {
                throw Failure.noAccount(input.account, advice: "'waypost accounts list' shows all")
            }
            return removal
        },
        question: { removal, input in
            "Delete the account \(input.account) for good, with \(removal.contents)?"
        }
    ) { removal, input, _ in
        try await removal.run()
        return Report(
            "Deleted the account \(input.account), with \(removal.contents).",
            note: "Backups and WAL archives that were made before still have everything.")
    }
}

private struct AccountSummary: Shaped, Sendable {
    let name, chain: String
    let friends, addresses: Int
    /// Counts only valid tokens.
    let tokens: Int
    let trackers, sinks: Int

    static let shape = Shape<AccountSummary>("Account", "An account, and how much it has.") {
        Member("name", example: "default") { $0.name }
        Member("chain", example: "default") { $0.chain }
        Member("friends", example: 3) { $0.friends }
        Member("addresses", example: 4) { $0.addresses }
        Member("tokens", example: 1) { $0.tokens }
        Member("trackers", example: 0) { $0.trackers }
        Member("sinks", example: 0) { $0.sinks }
    }
}

/// Refuses the default account. Commands without `--account` use it, and a server without tokens finds it by its
/// number.
private func refuseUsual(_ account: String) throws(UsageError) {
    guard account == Account.usual else { return }
    throw UsageError(
        "the account \(account) can't be renamed or deleted: commands without --account and servers without tokens use it"
    )
}
