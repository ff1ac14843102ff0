/// Who asks, and what they may.
package struct Caller: Hashable, Sendable {
    package let account: Int
    package let accountName: String
    /// The number of the token that was shown; nil where none is needed.
    package let token: Int?
    package let scopes: Set<AccessScope>

    package init(account: Int, accountName: String, token: Int?, scopes: Set<AccessScope>) {
        self.account = account
        self.accountName = accountName
        self.token = token
        self.scopes = scopes
    }
}
