package import Access
package import Queue

extension WorkerState: Shaped {
    package static let shape = Shape<WorkerState>("Worker", "A worker that is registered.") {
        Member("id", example: 1) { $0.id }.bounds(1)
        Member("name", example: "host-7-4711") { $0.name }
        Member("host", example: "host-7") { $0.host }
        Member("pid", example: 4_711) { $0.pid }
        Member("lanes", "The lanes that it can serve.", example: ["gazetteer"]) { $0.lanes }
        Member("held", "Jobs that it holds.", example: 0) { $0.held }
        Member("is_quiet", "It finishes its jobs and claims none.") { $0.isQuiet }
        Member("memory_bytes", example: 31_457_280) { $0.memory }
        Member("age_seconds", "Since it started.", example: .seconds(3_600)) { $0.age }
        Member("silent_seconds", "Since its last heartbeat.", example: .milliseconds(1_200)) { $0.silence }
    }
}

extension Finding: Shaped {
    package static let shape = Shape<Finding>("Finding", "The result of one check of the doctor.") {
        Member("check", example: "lanes") { $0.check }
        Member("verdict", example: .warning) { $0.verdict }
        Member("text", example: "nominatim is paused") { $0.text }
        Member("cause", "The kind of the cause, for programs; null if nothing is wrong.", example: "paused lane") {
            $0.cause?.word
        }
        Member("remedy", example: "'waypost lanes resume nominatim' restarts it") { $0.remedy }
        Member(
            "runbook", "The page about it, a path in Waypost's repository; null if nothing is wrong.",
            example: "docs/operations/alerts.md#waypostlanestuck"
        ) { $0.runbook }
    }
}

extension Finding.Verdict: JSONRepresentable {}

extension Act: Shaped {
    package static let shape = Shape<Act>("Act", "An entry of the log: a change of the cluster by a person.") {
        Member("id", example: 7) { $0.id }.bounds(1)
        Member("at") { Moment($0.at) }
        Member("verb", "The name of the command.", example: "lanes.limit") { $0.verb }
        Member("target", "Empty if many were changed.", example: "nominatim") { $0.target }
        Member("who") { $0.author }
        Member("before", "The changed values by name.", example: ["limits": "20/s"]) { $0.before }
        Member("after", example: ["limits": "1/s"]) { $0.after }
    }
}

extension Author: Shaped {
    package static let shape = Shape<Author>("Author", "The person behind an act.") {
        Member("name", "Of the token, or of the user of the machine.", example: "pages") { $0.name }
        Member("token", example: 3) { $0.token }
        Member("account", example: "default") { $0.account }
        Member("host", "The machine of a command; null for a request.") { $0.host }
    }
}

/// A token for a reader, without its secret.
package struct TokenView: Shaped {
    let token: Token
    /// True for the token of this request, or of its session.
    let isOwn: Bool

    package init(_ token: Token, isOwn: Bool = false) { (self.token, self.isOwn) = (token, isOwn) }

    package static let shape = Shape<TokenView>("Token", "A token without its secret.") {
        Member("id", example: 3) { $0.token.id }.bounds(1)
        Member("name", example: "phone") { $0.token.name }
        Member("account", example: "default") { $0.token.account }
        Member("scopes") { view in AccessScope.allCases.filter(view.token.scopes.contains) }
        Member("user", "The only user of the token; null for all users of the account.") { $0.token.user }
        Member("state") { $0.token.state }
        Member("is_own", "The token of this request, or of its session.") { $0.isOwn }
        Member("age_seconds", example: .seconds(3_600)) { $0.token.age }
        Member("idle_seconds", "Since its last use, to the hour; null if it was never used.") { $0.token.idle }
        Member("good_for_seconds", "Below 0 if it has expired; null if it never does.") { $0.token.goodFor }
    }
}

extension AccessScope: JSONRepresentable {}
extension Token.State: JSONRepresentable {}

/// A new token with its secret, which can't be shown again.
package struct NewToken: Shaped {
    let view: TokenView
    let text: String

    package init(_ token: Token, text: String) { (view, self.text) = (TokenView(token), text) }

    package static let shape = Shape<NewToken>("NewToken", "A new token. Its secret can't be shown again.") {
        Including { $0.view }
        Member("token", example: "wp_3_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") { $0.text }
    }
}
