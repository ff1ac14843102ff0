package import Access

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
