import FoundationEssentials
import HTTP
import Processes

/// The keys that seal credentials before they are stored: the database alone is not enough to use them.
///
/// The first key seals, and all keys open. To replace a key, put the new one before it, seal everything again, and
/// remove the old one.
package struct SealingKeys: Sendable {
    /// The first key seals.
    private let keys: [Key]

    private struct Key: Sendable {
        let bytes: [UInt8]
        /// Identifies the key without revealing it: the beginning of its SHA-256.
        let number: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            number = Array(Digest.sha256(bytes).prefix(4))
        }
    }

    /// Reads one or more keys, separated by commas or white space. Each is 32 bytes, as 64 hexadecimal digits or in
    /// base 64.
    package init(_ text: String) throws(SealingMistake) {
        let words = text.split { $0 == "," || $0.isWhitespace }
        guard !words.isEmpty else { throw SealingMistake("there is no key") }
        var keys: [Key] = []
        for (index, word) in words.enumerated() {
            guard let bytes = Self.bytes(of: word) else {
                let which = words.count == 1 ? "the key" : "key \(index + 1) of \(words.count)"
                throw SealingMistake("\(which) is neither 64 hexadecimal digits nor 44 characters of base 64")
            }
            keys.append(Key(bytes))
        }
        self.keys = keys
    }

    /// Returns a new key, as a text.
    package static func newKey() -> String { AESGCM.random(AESGCM.keyLength).hexadecimal }

    private static func bytes(of word: Substring) -> [UInt8]? {
        switch word.utf8.count {
        case 64: [UInt8](hexadecimal: Array(word.utf8))
        case 44: Data(base64Encoded: String(word)).map(Array.init).flatMap { $0.count == AESGCM.keyLength ? $0 : nil }
        default: nil
        }
    }

    /// The number of the first key, which errors contain.
    package var number: String { keys[0].number.hexadecimal }

    private static let version: UInt8 = 1
    /// The length of the version and the key's number.
    private static let headLength = 5
    private static let least = headLength + AESGCM.nonceLength + AESGCM.tagLength

    /// Seals a text for one place, such as "sink 3". It can be opened only for that place, so sealed data can't be
    /// moved to another place.
    package func seal(_ text: String, for context: String) -> [UInt8] {
        let head = [Self.version] + keys[0].number
        let nonce = AESGCM.random(AESGCM.nonceLength)
        let (sealed, tag) = AESGCM.seal(
            Array(text.utf8), key: keys[0].bytes, nonce: nonce, context: head + Array(context.utf8))
        return head + nonce + tag + sealed
    }

    package func open(_ sealed: [UInt8], for context: String) throws(SealingError) -> String {
        guard sealed.count >= Self.least, sealed[0] == Self.version else { throw .changed }
        let head = Array(sealed[..<Self.headLength])
        let number = Array(head[1...])
        let candidates = keys.filter { $0.number == number }
        guard !candidates.isEmpty else { throw .keyMissing(number: number.hexadecimal) }
        let tagStart = Self.headLength + AESGCM.nonceLength
        let nonce = Array(sealed[Self.headLength..<tagStart])
        let tag = Array(sealed[tagStart..<Self.least])
        for key in candidates {
            let plain = AESGCM.open(
                Array(sealed[Self.least...]), tag: tag, key: key.bytes, nonce: nonce,
                context: head + Array(context.utf8))
            if let plain { return String(decoding: plain, as: UTF8.self) }
        }
        throw .changed
    }

    /// True if the first key sealed it. Data sealed by another key must be sealed again before that key is removed.
    func isSealedByFirst(_ sealed: [UInt8]) -> Bool {
        sealed.first == Self.version && sealed.dropFirst().starts(with: keys[0].number)
    }

    /// Returns the same, sealed by the first key; nil if that key sealed it already.
    func resealed(_ sealed: [UInt8], for context: String) throws(SealingError) -> [UInt8]? {
        isSealedByFirst(sealed) ? nil : seal(try open(sealed, for: context), for: context)
    }
}

extension SealingKeys: CustomStringConvertible, CustomReflectable {
    /// Contains no key.
    package var description: String { "\(keys.count) sealing keys, the first is \(number)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A mistake in the keys of the settings. Contains nothing of the keys.
package struct SealingMistake: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ reason: String) {
        description = "\(reason); make one with: openssl rand -hex 32"
    }
}

/// The reason why sealed data can't be opened.
package enum SealingError: Error, Hashable, CustomStringConvertible {
    /// The key that sealed it is not among those of the settings.
    case keyMissing(number: String)
    /// The data was changed, or it was sealed for another place.
    case changed

    package var description: String {
        switch self {
        case .keyMissing(let number):
            "sealed with the key \(number), which is not among the keys in the settings: add that key, or store the "
                + "credentials again"
        case .changed: "what is stored was changed, or is in the wrong place: store the credentials again"
        }
    }
}
