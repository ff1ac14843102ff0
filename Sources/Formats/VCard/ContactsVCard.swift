/// Reads contacts from a file of vCards, version 2.1, 3.0 or 4.0, one at a time.
///
/// https://www.rfc-editor.org/rfc/rfc6350, https://www.rfc-editor.org/rfc/rfc2426
package struct ContactsVCard: ContactReader {
    private let options: ReadingOptions
    private let input: TextInput
    private var cards: VCardCards
    private var keys = SourceKeys()
    private var waiting: [ContactEntry] = []

    /// Opens the file at `path`; `-` is standard input.
    package init(path: String, options: ReadingOptions = ReadingOptions()) throws {
        self.init(try TextInput(path: path, encoding: Self.encoding(options)), options)
    }

    /// Reads `bytes` as if they came from a file, `chunkSize` at a time.
    package init(_ bytes: [UInt8], chunkSize: Int = 256 << 10, options: ReadingOptions = ReadingOptions()) {
        self.init(TextInput(bytes, chunkSize: chunkSize, encoding: Self.encoding(options)), options)
    }

    private init(_ input: TextInput, _ options: ReadingOptions) {
        self.input = input
        self.options = options
        cards = VCardCards(input.window)
    }

    /// Encodings other than UTF-16 are decided for each property: a card of version 2.1 may have several.
    private static func encoding(_ options: ReadingOptions) -> TextEncoding? {
        options.encoding == .utf16 ? .utf16 : nil
    }

    package var name: String { input.name }
    package var totalSize: Int? { input.totalSize }
    package var bytesRead: Int { input.bytesRead(before: cards.lines.window.count) }

    /// The next contact, or the next card that is not a contact. Nil at the end of the file.
    package mutating func next() throws -> ContactEntry? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        switch try cards.next() {
        case .card(let card): return read(card)
        case .refused(let line, let reason): return .refused(line: line, reason: reason)
        case nil where cards.hasCards: return nil
        case nil: throw FileError(file: name, problem: "has no line BEGIN:VCARD; it is not a file of vCards")
        }
    }

    private mutating func read(_ card: VCardCard) -> ContactEntry {
        do {
            let (friend, addresses) = try VCardContact(card: card, options: options).friend(keys: &keys)
            waiting = addresses.notes.map { .noted(line: card.line, reason: $0) }
            return .contact(line: card.line, friend)
        } catch {
            return .refused(line: card.line, reason: error.reason)
        }
    }
}
