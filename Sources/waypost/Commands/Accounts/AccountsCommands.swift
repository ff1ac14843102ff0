import API
import Access
import Contacts
import Locations
import Postgres
import Shapes
import Terminal

struct AccountsListCommand: Command {
    static let name = "list"
    static let summary = "Show the accounts, and how much each has."

    let look = WatchOptions()

    func run() async throws {
        try await look.show { _, db in
            let tokens = Dictionary(grouping: try TokenStore().list(on: db), by: \.account)
            let sinks = Dictionary(grouping: try SinkStore().sinks(on: db), by: \.account)
            let trackers = try TrackerStore().countByAccount(on: db)
            return try ContactStore().accounts(on: db).map { account in
                AccountSummary(
                    name: account.name, chain: account.chain, friends: account.friends, addresses: account.addresses,
                    tokens: tokens[account.name]?.count { $0.state == .good } ?? 0,
                    trackers: trackers[account.id] ?? 0, sinks: sinks[account.id]?.count ?? 0)
            }
        } as: {
            $0
        } write: { accounts, screen in
            if accounts.isEmpty {
                return screen.writeLine("There is no account. Create one with 'waypost accounts create'.")
            }
            var table = Table(
                .left("ACCOUNT"), .left("CHAIN"), .right("FRIENDS"), .right("ADDRESSES"), .right("TOKENS"),
                .right("TRACKERS"), .right("SINKS"))
            for account in accounts {
                table.add(
                    account.name, account.chain, "\(account.friends)", "\(account.addresses)", "\(account.tokens)",
                    "\(account.trackers)", "\(account.sinks)")
            }
            table.write(to: screen)
        }
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

struct AccountsCreateCommand: ChangingCommand {
    static let name = "create"
    static let summary = "Create an account."
    static let discussion = """
        An account has its own friends, trackers, sinks and tokens, which no other account sees. Answers of providers are shared. \
        'waypost import' and 'waypost tokens create' create an account too, if there is none with the name.
        """

    @Argument("NAME", "Its name.") var account: String

    func run() async throws {
        if account.isEmpty { throw UsageError("NAME is empty; give the account a name") }
        try await Application.asking { [account] app, db in
            try app.contacts.createAccount(named: account, by: .current, on: db)
        }
        Screen.output.writeLine(
            "Created the account \(account). Give it a token: waypost tokens create NAME --account \(account) --scope read"
        )
    }
}

struct AccountsRenameCommand: ChangingCommand {
    static let name = "rename"
    static let summary = "Give an account another name. Its tokens stay good."

    @Argument("NAME", "The account.") var account: String
    @Argument("NEW-NAME", "Its new name.") var newName: String

    func run() async throws {
        if newName.isEmpty { throw UsageError("NEW-NAME is empty; give the account a name") }
        try refuseUsual(account)
        try await Application.asking { [account, newName] app, db in
            guard try app.contacts.renameAccount(account, to: newName, by: .current, on: db) else {
                throw UnknownAccount(name: account)
            }
        }
        Screen.output.writeLine("The account \(account) is now called \(newName).")
        Screen.errors.writeLine(
            "Change --account \(account) in scripts: 'import' and 'tokens create' would create a new account \(account)."
        )
    }
}

struct AccountsDeleteCommand: ChangingCommand {
    static let name = "delete"
    static let summary = "Delete an account for good, with all that it has."
    static let discussion = """
        Deletes its tokens first, then its trackers with their positions, its sinks, and its friends with their addresses, in steps. If it \
        is interrupted, run it again: it goes on with what is left. Answers of providers stay; 'waypost cache purge' deletes those. \
        Backups that were made before still have everything.
        """

    @Argument("NAME", "The account.") var account: String
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func run() async throws {
        try refuseUsual(account)
        let app = try await Application.forCommand()
        guard let removal = try await AccountRemoval.plan(for: account, in: app) else {
            throw UnknownAccount(name: account)
        }
        try confirm("Delete the account \(account) for good, with \(removal.contents)?", isSure: yes)
        try await removal.run()
        await app.close()
        Screen.output.writeLine("Deleted the account \(account), with \(removal.contents).")
        Screen.errors.writeLine("Backups and WAL archives that were made before still have everything.")
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

private struct UnknownAccount: Error, CustomStringConvertible {
    let name: String
    var description: String { "there is no account called \"\(name)\"; 'waypost accounts list' shows all" }
}
