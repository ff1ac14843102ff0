/// Reads contacts one at a time from LDIF, the export format of directories and of Thunderbird's address book.
///
/// https://www.rfc-editor.org/rfc/rfc2849
package struct ContactsLDIF: ContactReader {
    private let options: ReadingOptions
    private let input: TextInput
    private var lines: LDIFLines
    private var keys = SourceKeys()
    private var waiting: [ContactEntry] = []
    private var hasEntries = false

    /// Opens the file at `path`; `-` is standard input.
    package init(path: String, options: ReadingOptions = ReadingOptions()) throws {
        self.init(try TextInput(path: path, encoding: nil), options)
    }

    /// Reads `bytes` as if they came from a file, `chunkSize` at a time.
    package init(_ bytes: [UInt8], chunkSize: Int = 256 << 10, options: ReadingOptions = ReadingOptions()) {
        self.init(TextInput(bytes, chunkSize: chunkSize, encoding: nil), options)
    }

    /// Values that are not UTF-8 are detected one by one.
    private init(_ input: TextInput, _ options: ReadingOptions) {
        self.input = input
        self.options = options
        lines = LDIFLines(input.window)
    }

    package var name: String { input.name }
    package var totalSize: Int? { input.totalSize }
    package var bytesRead: Int { input.bytesRead(before: lines.window.count) }

    /// The next contact, or the next entry that is not a contact. Nil at the end of the file. Units and groups are
    /// skipped.
    package mutating func next() throws -> ContactEntry? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        while let entry = try lines.next() {
            // The version comes before the first entry.
            guard !entry.values.isEmpty || entry.problem != nil else { continue }
            hasEntries = hasEntries || entry.values["dn"] != nil
            let contact = LDIFContact(entry: entry, options: options)
            guard contact.isPerson else { continue }
            do {
                let (friend, notes) = try contact.friend(keys: &keys)
                waiting = notes.map { .noted(line: entry.line, reason: $0) }
                return .contact(line: entry.line, friend)
            } catch {
                return .refused(line: entry.line, reason: error.reason)
            }
        }
        guard hasEntries else {
            throw FileError(file: name, problem: "has no line that begins with dn:; it is not LDIF")
        }
        return nil
    }
}
