import HTTP
import Postgres
import Processes

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

/// A token in the form that clients send: `wp_7_` and 43 letters of base64url, which are 256 random bits.
///
/// The id finds the row. So the hash of the secret is only compared and never searched for.
package struct TokenText: Sendable {
    let id: Int
    let secret: String

    private static let length = 43

    init(id: Int, secret: String) {
        self.id = id
        self.secret = secret
    }

    /// Nil if the text can't be a token.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "wp", let id = Int32(parts[1]), id > 0, String(id) == parts[1],
            parts[2].utf8.count == Self.length, parts[2].utf8.allSatisfy(\.isOfBase64URL)
        else { return nil }
        self.init(id: Int(id), secret: String(parts[2]))
    }

    var text: String { "wp_\(id)_\(secret)" }

    /// The stored form of the secret.
    var hash: [UInt8] { Digest.sha256(secret.utf8) }

    /// 256 bits of the kernel's random numbers, which Swift's generator uses on Linux.
    static func makeSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64, Array.init) }
        return bytes.base64URL
    }
}

extension UInt8 {
    fileprivate var isOfBase64URL: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x30...0x39,
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
