import FoundationEssentials
package import HTTP

/// The account that signs the requests for Apple's access tokens:
/// https://developer.apple.com/documentation/applemapsserverapi/creating-and-using-tokens-with-maps-server-api
package struct AppleMapsAccount: Sendable {
    private let key: SigningKey
    private let keyID: String
    private let team: String
    private let origin: String?

    /// `key` is the content of the `.p8` file. Apple compares the origin of calls only if `origin` is given.
    package init(key: String, keyID: String, team: String, origin: String? = nil) throws(SigningKeyError) {
        self.key = try SigningKey(pem: key)
        self.keyID = keyID
        self.team = team
        self.origin = origin
    }

    /// Returns a JSON web token (RFC 7519) that is valid for half an hour from `now`, in seconds since 1970.
    func token(now: Int) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let header = try encoder.encode(["alg": "ES256", "kid": keyID, "typ": "JWT"])
        let claims = try encoder.encode(Claims(iss: team, iat: now, exp: now + 1_800, origin: origin))
        let message = "\(encoded(header)).\(encoded(claims))"
        return "\(message).\(encoded(Data(key.sign(Array(message.utf8)))))"
    }

    private struct Claims: Encodable {
        let iss: String
        let iat: Int
        let exp: Int
        let origin: String?
    }

    /// Encodes base 64 with the characters that need no escaping in a URL, without padding.
    private func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
