/// Reads contacts from LDIF, in which directories and Thunderbird's address book export, one at a time.
///
/// https://www.rfc-editor.org/rfc/rfc2849
package struct ContactsLDIF: ContactReader {
    package let name: String
    package let totalSize: Int?

    private let options: ReadingOptions
    private let source: TextSource
    private var lines: LDIFLines
    private var keys = SourceKeys()
    private var waiting: [ContactEntry] = []
    private var hasEntries = false

    /// Opens the file at `path`; `-` is standard input.
    package init(path: String, options: ReadingOptions = ReadingOptions()) throws {
        let file = try InputFile(path: path)
        self.init(name: file.name, size: file.size, chunkSize: 256 << 10, options, read: file.read)
    }

    /// Reads `bytes` as if they came from a file, `chunkSize` at a time.
    package init(_ bytes: [UInt8], chunkSize: Int = 256 << 10, options: ReadingOptions = ReadingOptions()) {
        self.init(
            name: "bytes", size: bytes.count, chunkSize: chunkSize, options,
            read: ByteWindow.reading(bytes, chunkSize: chunkSize))
    }

    private init(
        name: String, size: Int?, chunkSize: Int, _ options: ReadingOptions, read: @escaping ByteWindow.Read
    ) {
        self.name = name
        totalSize = size
        self.options = options
        // What is not UTF-8 is told value by value.
        source = TextSource(encoding: nil, read: read)
        lines = LDIFLines(ByteWindow(chunkSize: chunkSize, read: source.read))
    }

    package var bytesRead: Int { max(0, source.bytesUsed - lines.window.count) }

    /// The next contact, or the next entry that is none. Nil at the end of the file. Units and groups are passed over.
    package mutating func next() throws -> ContactEntry? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        while let entry = try lines.next() {
            // Before the first entry stands the version.
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
            throw FileError(file: name, problem: "has no line that begins with dn:; it is no LDIF")
        }
        return nil
    }
}
