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
/// A token with the scope geocode is `wp7x` and 52 small letters and digits, which are as many bits: it stands in the
/// path of a URL, and some programs write that in small letters, or as a format.
///
/// The id finds the row. So the hash of the secret is only compared and never searched for.
package struct TokenText: Sendable {
    let id: Int
    let secret: String
    let isPlain: Bool

    private static let length = 43
    private static let plainLength = 52

    init(id: Int, secret: String, isPlain: Bool = false) {
        (self.id, self.secret, self.isPlain) = (id, secret, isPlain)
    }

    /// Nil if the text can't be a token.
    package init?(_ text: String) {
        guard text.hasPrefix("wp") else { return nil }
        let isPlain = !text.hasPrefix("wp_")
        let parts = text.dropFirst(isPlain ? 2 : 3)
            .split(separator: isPlain ? "x" : "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Int32(parts[0]), id > 0, String(id) == parts[0],
            parts[1].utf8.count == (isPlain ? Self.plainLength : Self.length),
            parts[1].utf8.allSatisfy({ isPlain ? Self.letters.contains($0) : $0.isOfBase64URL })
        else { return nil }
        self.init(id: Int(id), secret: String(parts[1]), isPlain: isPlain)
    }

    var text: String { isPlain ? "wp\(id)x\(secret)" : "wp_\(id)_\(secret)" }

    /// The stored form of the secret.
    var hash: [UInt8] { Digest.sha256(secret.utf8) }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// 256 bits of the kernel's random numbers, which Swift's generator uses on Linux.
    static func makeSecret(isPlain: Bool = false) -> String {
        var generator = SystemRandomNumberGenerator()
        if isPlain {
            return String(
                decoding: (0..<plainLength).map { _ in letters[Int.random(in: 0..<32, using: &generator)] },
                as: UTF8.self)
        }
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
