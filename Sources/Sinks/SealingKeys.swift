import Foundation

/// The keys with which credentials are sealed before they are stored: who has the database alone can't use them.
///
/// The first key seals, and all of them open. So a key is replaced by putting the next one before it, sealing everything anew, and
/// taking the old one away.
package struct SealingKeys: Sendable {
    /// The first seals.
    private let keys: [Key]

    private struct Key: Sendable {
        let bytes: [UInt8]
        /// Tells which key it is and nothing of what it is: the beginning of its SHA-256.
        let number: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            number = Array(SHA256.hash(bytes).prefix(4))
        }
    }

    /// Reads one or more keys, with commas or white space between them. Each is 32 bytes, as 64 hexadecimal digits or in base 64.
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

    /// A new key, as a text.
    package static func newKey() -> String { AESGCM.random(AESGCM.keyLength).hexadecimal }

    private static func bytes(of word: Substring) -> [UInt8]? {
        switch word.utf8.count {
        case 64: [UInt8](hexadecimal: word)
        case 44: Data(base64Encoded: String(word)).map(Array.init).flatMap { $0.count == AESGCM.keyLength ? $0 : nil }
        default: nil
        }
    }

    /// The number of the first key, as errors name it.
    package var number: String { keys[0].number.hexadecimal }

    private static let version: UInt8 = 1
    /// The version, and the number of the key.
    private static let headLength = 5
    private static let least = headLength + AESGCM.nonceLength + AESGCM.tagLength

    /// Seals a text for one place, such as "sink 3". It can be opened for that place only, so what is stored for one can't be
    /// put in another's place.
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

    /// Whether the first key sealed it. What another one sealed is to be sealed anew before that key is taken away.
    package func isSealedByFirst(_ sealed: [UInt8]) -> Bool {
        sealed.first == Self.version && sealed.dropFirst().starts(with: keys[0].number)
    }

    /// The same, sealed by the first key; nil where it is that already.
    package func resealed(_ sealed: [UInt8], for context: String) throws(SealingError) -> [UInt8]? {
        isSealedByFirst(sealed) ? nil : seal(try open(sealed, for: context), for: context)
    }
}

extension SealingKeys: CustomStringConvertible, CustomReflectable {
    /// No key.
    package var description: String { "\(keys.count) sealing keys, the first is \(number)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What is wrong with the keys in the settings. Holds nothing of them.
package struct SealingMistake: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ reason: String) {
        description = "\(reason); make one with: openssl rand -hex 32"
    }
}

/// Why something that was sealed can't be opened.
package enum SealingError: Error, Hashable, CustomStringConvertible {
    /// The key that sealed it is not among those of the settings.
    case keyMissing(number: String)
    /// It was changed, or it was sealed for another place.
    case changed

    package var description: String {
        switch self {
        case .keyMissing(let number):
            "sealed with the key \(number), which is not among the keys in the settings: add that key, or store the "
                + "credentials anew"
        case .changed: "what is stored was changed, or is in the wrong place: store the credentials anew"
        }
    }
}
