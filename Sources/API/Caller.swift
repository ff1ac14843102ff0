/// Who sends a request: the account whose contacts they see, and what they may do.
package struct Caller: Sendable, Hashable {
    package let account: Int
    package let accountName: String
    /// The number of their token; nil where none is asked for.
    package let token: Int?
    /// What the token is called.
    package let tokenName: String?
    package let scopes: Set<AccessScope>
    /// The one user that the token is good for; nil for all of the account.
    package let user: String?

    package init(
        account: Int, accountName: String, token: Int?, tokenName: String? = nil, scopes: Set<AccessScope>,
        user: String? = nil
    ) {
        self.account = account
        self.accountName = accountName
        self.token = token
        self.tokenName = tokenName
        self.scopes = scopes
        self.user = user
    }
}
