import Postgres
package import Queue

/// The sender of a request: the account whose contacts it sees, and its rights.
package struct Caller: Sendable, Hashable {
    package let account: Int
    package let accountName: String
    /// The id of the token; nil if no token is required.
    package let token: Int?
    /// The token's name.
    package let tokenName: String?
    package let scopes: Set<AccessScope>
    /// The only user that the token is valid for; nil for all users of the account.
    package let user: String?
    package let manners: GeocodingManners

    package init(
        account: Int, accountName: String, token: Int?, tokenName: String? = nil, scopes: Set<AccessScope>,
        user: String? = nil, manners: GeocodingManners = .usual
    ) {
        self.account = account
        self.accountName = accountName
        self.token = token
        self.tokenName = tokenName
        self.scopes = scopes
        self.user = user
        self.manners = manners
    }

    /// Reads a row of `bearer_of_token` or `bearer_of_session`.
    init(_ row: Row, token: Int, user: String? = nil, manners: GeocodingManners? = nil) throws {
        self.init(
            account: try row.read("account"), accountName: try row.read("account_name"), token: token,
            tokenName: try row.read("token_name"), scopes: try Set(scopesOf: row), user: user,
            manners: manners ?? .usual)
    }

    /// The sender of a request, for the log.
    package var author: Author {
        .client(
            token: token, named: tokenName ?? token.map { "token \($0)" } ?? "without a token", of: accountName)
    }
}

/// The rights of a token. The raw values are stored: never rename one.
package enum AccessScope: String, Sendable, CaseIterable {
    /// Read the account's contacts and their places.
    case read
    /// Change them.
    case write
    /// Send a user's positions, and turn tracking on and off: all that a phone needs.
    case track
    /// Read positions.
    case locate
    /// See and control the cluster.
    case admin
    /// Ask at the doors of the gateway, and nothing else.
    case geocode

    /// The scopes that a token for one user may have.
    package static let ofOneUser: Set<AccessScope> = [.track, .locate]
}

extension Set<AccessScope> {
    /// Reads the column `scopes`.
    init(scopesOf row: Row) throws {
        self = try Set(row.read("scopes", as: [String].self).compactMap(AccessScope.init(rawValue:)))
    }

    /// The stored words, in the order of the cases.
    package var words: [String] { AccessScope.allCases.filter(contains).map(\.rawValue) }
}
