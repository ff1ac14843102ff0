import API
import Access
import Contacts
import Processes
import Shapes
import Terminal

enum TokenVerbs {
    static let group = Node.group("tokens", "Create, see and revoke tokens of the HTTP API.", [create, list, revoke])

    private struct NewTokenInput: VerbInput {
        @Argument("NAME", "The purpose of the token.") var token: String
        @Option("--account", "NAME", "The account to which it gives access.") var account = "default"
        @Option("--scope", "SCOPE", "What it permits; may be repeated.") var scopes: [AccessScope]
        @Option("--user", "USER", "The one user that it is good for; only with the scopes track and locate.")
        var user: String?
        @Option("--expires", "How long it is valid; by default until revoked.", in: Duration.seconds(1)...)
        var expires: Duration?
        @Option(
            "--wait", "With --scope geocode: how long a request waits for a call; by default 0.8s.",
            in: GeocodingManners.waits)
        var wait: Duration?
        @Option("--late", "WORD", "With --scope geocode: what a request gets after that; by default coarse.")
        var late: GeocodingManners.Late?
        @Option("--left", "WORD", "With --scope geocode: the question of a client that left; by default keep.")
        var left: GeocodingManners.Left?
        @Flag("--relay", "With --scope geocode: your Nominatim server answers at Nominatim's door.") var relay
        @Flag("--json", "Print JSON.") var json

        var manners: GeocodingManners {
            let usual = GeocodingManners.usual
            return GeocodingManners(
                wait: wait ?? usual.wait, late: late ?? usual.late, left: left ?? usual.left, relays: relay)
        }

        func check() throws {
            let isToGeocode = Set(scopes) == [.geocode]
            if scopes.contains(.geocode), !isToGeocode {
                throw UsageError("--scope geocode goes with no other scope; create a second token for the rest")
            }
            if !isToGeocode, wait != nil || late != nil || left != nil || relay {
                throw UsageError("--wait, --late, --left and --relay go with --scope geocode only")
            }
            if token.isEmpty { throw UsageError("NAME is empty; give the purpose of the token") }
            if account.isEmpty { throw UsageError("--account is empty; give the account of the token") }
            guard let user else { return }
            try checkUser(user)
            guard Set(scopes).isSubset(of: AccessScope.ofOneUser) else {
                throw UsageError("--user goes with --scope track and --scope locate only")
            }
        }
    }

    private static let create = Node.verb(
        "create", NewTokenInput.self, "Create a token for an account, and show it once.",
        """
        The account is created if it does not exist. A token has only the rights of its scopes: 'write' does not \
        include 'read'.

          read    see contacts and their places
          write   change contacts, and erase what is known of a user's positions
          track   turn a user's tracking on and off, and send positions: what a phone needs
          locate  see trackers and positions
          admin   see and control the cluster
          geocode ask at the doors of the gateway, and nothing else

        Programs that use a door have the token in their URL, so it has small letters and digits only. If an answer needs \
        a call, a request waits for --wait. After that --late coarse gives the best place that is there, such as the town, \
        and --late retry says when to come back. With --left drop, the question of a client that has left is not asked. \
        With --relay, a Nominatim server of your own answers at Nominatim's door, each request once and within the limits \
        of its lane, and its replies are passed back as they are, with outlines and tags.

          waypost tokens create photos --scope geocode --wait 2s
          waypost tokens create phone --account app --user ada --scope track --expires 90d

        With --user the token is good for this user's tracker only: for a phone that its owner sets up.
        """, changes: true
    ) { input in
        let made = try await Application.asking { app, db in
            try TokenStore().create(
                account: app.contacts.openAccount(named: input.account, on: db), name: input.token,
                scopes: Set(input.scopes), user: input.user, expires: input.expires, manners: input.manners,
                by: .current, on: db)
        }
        if input.json { return Screen.output.writeJSON(NewToken(made.token, text: made.text)) }
        Report(made.text, note: "This token is shown only once: keep it now. It can't be recovered later.").write()
    }

    private struct OfAccount: VerbInput {
        @Option("--account", "NAME", "Only tokens of this account.") var account: String?
    }

    private static let list = Node.list(
        "list", OfAccount.self, "Show the tokens, without their secrets.",
        look: { input, _, db in try TokenStore().list(account: input.account, on: db) }, as: { TokenView($0) },
        empty: "There is no token. Create one with 'waypost tokens create'.",
        [
            .right("ID") { "\($0.id)" }, .left("ACCOUNT") { $0.account }, .left("NAME") { $0.name },
            .left("SCOPES") { $0.scopes.words.joined(separator: ", ") }, .left("USER") { $0.user ?? "all" },
            .left("AGE") { Readable.duration($0.age) },
            .left("LAST USED") { $0.idle.map { "\(Readable.duration($0)) ago" } ?? "-" },
            .left("STATE", style: { $0.hasPrefix("good") ? nil : .yellow }) { $0.stateText },
        ])

    private struct OneToken: VerbInput {
        @Argument("ID", "Its number; a token begins with it: wp_ID_…", in: 1...1 << 31 - 1) var id: Int
    }

    private static let revoke = Node.act("revoke", OneToken.self, "Revoke a token.") { input, _, db in
        guard let token = try TokenStore().revoke(input.id, by: .current, on: db) else {
            throw Failure.noToken(input.id)
        }
        return token.state == .revoked
            ? "Token \(input.id) was revoked already."
            : "Token \(input.id) is revoked. A server that used it a moment ago refuses it within 5 seconds."
    }
}

extension AccessScope: OptionValue {}
extension GeocodingManners.Late: OptionValue {}
extension GeocodingManners.Left: OptionValue {}

extension Token {
    fileprivate var stateText: String {
        guard state == .good, let goodFor else { return state.rawValue }
        return "good for \(Readable.duration(goodFor))"
    }
}
