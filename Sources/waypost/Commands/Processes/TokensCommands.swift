import API
import Access
import Contacts
import Shapes
import Terminal
import Wording

struct TokensCreateCommand: ChangingCommand {
    static let name = "create"
    static let summary = "Create a token for an account, and show it once."
    static let discussion = """
        The account is created if it does not exist. A token has only the rights of its scopes: 'write' does not \
        include 'read'.

          read    see contacts and their places
          write   change contacts, and erase what is known of a user's positions
          track   turn a user's tracking on and off, and send positions: what a phone needs
          locate  see trackers and positions
          admin   see and control the cluster

          waypost tokens create phone --account app --user ada --scope track --expires 90d

        With --user the token is good for this user's tracker only: for a phone that its owner sets up.
        """

    @Argument("NAME", "The purpose of the token.") var token: String
    @Option("--account", "NAME", "The account to which it gives access.") var account: String
    @Option("--scope", "SCOPE", "What it permits; may be repeated.") var scopes: [AccessScope]
    @Option("--user", "USER", "The one user that it is good for; only with the scopes track and locate.") var user:
        String?
    @Option("--expires", "How long it is valid; by default until revoked.", in: Duration.seconds(1)...) var expires:
        Duration?
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        if token.isEmpty { throw UsageError("NAME is empty; give the purpose of the token") }
        if account.isEmpty { throw UsageError("--account is empty; give the account of the token") }
        if let user {
            try checkUser(user)
            guard Set(scopes).isSubset(of: AccessScope.ofOneUser) else {
                throw UsageError("--user goes with --scope track and --scope locate only")
            }
        }
        let made = try await Application.asking { [token, account, scopes, user, expires] app, db in
            try TokenStore().create(
                account: app.contacts.openAccount(named: account, on: db), name: token, scopes: Set(scopes), user: user,
                expires: expires, by: .current, on: db)
        }
        if json { return Screen.output.writeJSON(NewToken(made.token, text: made.text)) }
        Screen.output.writeLine(made.text)
        Screen.errors.writeLine("This token is shown only once: keep it now. It can't be recovered later.")
    }
}

struct TokensListCommand: Command {
    static let name = "list"
    static let summary = "Show the tokens, without their secrets."

    @Option("--account", "NAME", "Only tokens of this account.") var account: String?
    let look = WatchOptions()

    func run() async throws {
        try await look.show { [account] _, db in
            try TokenStore().list(account: account, on: db)
        } as: { tokens in
            tokens.map { TokenView($0) }
        } write: { tokens, screen in
            write(tokens, to: screen)
        }
    }

    private func write(_ tokens: [Token], to screen: Screen) {
        if tokens.isEmpty {
            return screen.writeLine("There is no token. Create one with 'waypost tokens create'.")
        }
        var table = Table(
            .right("ID"), .left("ACCOUNT"), .left("NAME"), .left("SCOPES"), .left("USER"), .left("AGE"),
            .left("LAST USED"),
            .left("STATE") { $0.hasPrefix("good") ? nil : .yellow })
        for token in tokens {
            table.add(
                "\(token.id)", token.account, token.name, token.scopes.words.joined(separator: ", "),
                token.user ?? "all",
                Readable.duration(token.age), token.idle.map { "\(Readable.duration($0)) ago" } ?? "-", token.stateText)
        }
        table.write(to: screen)
    }
}

struct TokensRevokeCommand: ChangingCommand {
    static let name = "revoke"
    static let summary = "Revoke a token."

    @Argument("ID", "Its number; a token begins with it: wp_ID_…", in: 1...1 << 31 - 1) var id: Int

    func run() async throws {
        let token = try await Application.asking { [id] _, db in
            guard let token = try TokenStore().revoke(id, by: .current, on: db) else { throw NoSuchToken(id: id) }
            return token
        }
        Screen.output.writeLine(
            token.state == .revoked
                ? "Token \(id) was revoked already."
                : "Token \(id) is revoked. A server that knew it a moment ago refuses it within 5 seconds.")
    }
}

extension AccessScope: OptionValue {}

private struct NoSuchToken: Error, CustomStringConvertible {
    let id: Int
    var description: String { "there is no token \(id); 'waypost tokens list' shows all" }
}

extension Token {
    fileprivate var stateText: String {
        guard state == .good, let goodFor else { return state.rawValue }
        return "good for \(Readable.duration(goodFor))"
    }
}
