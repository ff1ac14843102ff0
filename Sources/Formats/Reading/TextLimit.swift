/// How long a text may be, the same for files, a Monica server, the API and the command line.
package struct TextLimit: Hashable, Sendable {
    /// Unicode scalars.
    package let characters: Int

    /// A name, a label, a part of an address, or an address on one line.
    package static let text = TextLimit(characters: 2_000)

    /// A source's key of a friend. The index that keeps keys unique takes 2,700 bytes.
    package static let key = TextLimit(characters: 500)

    /// A source's own number of a friend. It becomes a part of a key.
    package static let id = TextLimit(characters: 490)

    /// The name of a feed. It is in an index too.
    package static let feed = TextLimit(characters: 500)

    /// What an account calls a user whose positions it has, and what a phone calls a fix.
    package static let user = TextLimit(characters: 200)

    /// What Monica takes of a text, and of a country.
    package static let monica = TextLimit(characters: 255)
    package static let monicaCountry = TextLimit(characters: 3)

    package func permits(_ text: String) -> Bool {
        text.utf8.count <= characters || text.unicodeScalars.count <= characters
    }

    /// What follows the name of a text that is too long.
    package var refusal: String { "is longer than \(number) characters" }

    private var number: String {
        characters < 1_000 ? "\(characters)" : "\(characters / 1_000),\("\(characters % 1_000 + 1_000)".dropFirst())"
    }
}
