import Geocoding

/// The maximum length of a text, the same for files, a Monica server, the API and the command line.
package struct TextLimit: Hashable, Sendable {
    /// Counted in Unicode scalars.
    package let characters: Int
    /// True for texts by which something is found. They are stored in the form NFC, so that equal names have equal bytes.
    private let isName: Bool

    init(characters: Int, isName: Bool = false) {
        (self.characters, self.isName) = (characters, isName)
    }

    /// A name, a label, a part of an address, or an address on one line.
    package static let text = TextLimit(characters: 2_000)

    /// A source's key of a friend. The index that keeps keys unique allows 2,700 bytes.
    package static let key = TextLimit(characters: 500, isName: true)

    /// A source's own id of a friend. It becomes a part of a key.
    package static let id = TextLimit(characters: 490, isName: true)

    /// The name of a feed. An index contains it too.
    package static let feed = TextLimit(characters: 500, isName: true)

    /// An account's name for a user with positions, and a phone's id of a fix.
    package static let user = TextLimit(characters: 200, isName: true)

    /// The text as it is stored; nil if it is too long. The form NFC of a name may be longer than the name.
    package func fitted(_ text: String) -> String? {
        guard permits(text) else { return nil }
        let stored = isName ? Normalization.composed(text) : text
        return permits(stored) ? stored : nil
    }

    private func permits(_ text: String) -> Bool {
        text.utf8.count <= characters || text.unicodeScalars.count <= characters
    }

    /// The rest of an error sentence, after the name of the text.
    package var refusal: String { "is longer than \(number) characters" }

    private var number: String {
        characters < 1_000 ? "\(characters)" : "\(characters / 1_000),\("\(characters % 1_000 + 1_000)".dropFirst())"
    }
}

/// Limits on the size of a contact.
package enum ContactLimits {
    /// No contact has more. Without a limit, a file with the addresses of only one friend would be in memory
    /// completely.
    package static let addresses = 1_000
}
