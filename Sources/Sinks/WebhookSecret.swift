import FoundationEssentials
import HTTP

/// The secret that signs a webhook, so that the receiver can verify the sender: https://www.standardwebhooks.com
///
/// While a secret is being replaced there are two, and each request has a signature by both.
package struct WebhookSecret: Sendable {
    private let keys: [[UInt8]]

    private static let prefix = "whsec_"

    /// Returns a new secret, as a text.
    package static func newSecret() -> String { prefix + Data(AESGCM.random(32)).base64EncodedString() }

    /// Reads one or more secrets, separated by white space: `whsec_` and 24 to 64 bytes in base 64, or another text of
    /// at least 24 bytes.
    package init(_ text: String) throws(SinkMistake) {
        var keys: [[UInt8]] = []
        for word in text.split(whereSeparator: \.isWhitespace) { keys.append(try Self.key(of: word)) }
        guard !keys.isEmpty else { throw SinkMistake("a webhook needs a secret for its signatures; \(Self.advice)") }
        self.keys = keys
    }

    private static func key(of word: Substring) throws(SinkMistake) -> [UInt8] {
        guard word.hasPrefix(prefix) else {
            guard word.utf8.count >= 24 else {
                throw SinkMistake("the webhook's secret is shorter than 24 bytes; \(advice)")
            }
            return Array(word.utf8)
        }
        let base64 = word.dropFirst(prefix.count).filter { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let key = Data(base64Encoded: base64 + padding).map(Array.init), (24...64).contains(key.count) else {
            throw SinkMistake("the webhook's secret is not 24 to 64 bytes in base 64 after whsec_; \(advice)")
        }
        return key
    }

    private static let advice = #"make one with: echo "whsec_$(openssl rand -base64 32)""#

    /// The value of the header `webhook-signature`.
    package func signature(of body: [UInt8], id: String, timestamp: Int) -> String {
        let message = Array("\(id).\(timestamp).".utf8) + body
        return keys.map { "v1," + Data(Digest.authenticate(message, key: $0)).base64EncodedString() }
            .joined(separator: " ")
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
