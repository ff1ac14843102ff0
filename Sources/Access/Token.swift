import Postgres

/// A token without its secret.
package struct Token: Sendable, Identifiable {
    package let id: Int
    package let account: String
    package let name: String
    package let scopes: Set<AccessScope>
    /// The only user that it is valid for; nil for all users of the account.
    package let user: String?
    package let state: State
    package let age: Duration
    /// The time since its last use, to the hour; nil if it was never used.
    package let idle: Duration?
    /// The time until it expires; nil if it doesn't expire.
    package let goodFor: Duration?

    package enum State: String, Sendable, CaseIterable {
        case good, expired, revoked
    }

    init(_ row: Row) throws {
        id = try row.read("id")
        account = try row.read("account_name")
        name = try row.read("name")
        scopes = try Set(scopesOf: row)
        user = try row.readIfPresent("user_id")
        age = try row.read("age")
        idle = try row.readIfPresent("idle")
        goodFor = try row.readIfPresent("good_for")
        let isRevoked: Bool = try row.read("is_revoked")
        state = isRevoked ? .revoked : (goodFor ?? .seconds(1)) > .zero ? .good : .expired
    }
}
