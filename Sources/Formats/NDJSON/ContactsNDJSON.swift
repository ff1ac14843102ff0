/// Reads contacts from a file with one JSON object on each line, Waypost's own format for contacts.
struct ContactsNDJSON: ContactReader {
    let name: String
    let totalSize: Int?
    private let file: InputFile
    private var contacts: NDJSONContacts
    private var isEnded = false

    /// Opens the file at `path`; `-` is standard input.
    init(path: String, options: ReadingOptions = ReadingOptions()) throws {
        file = try InputFile(path: path)
        (name, totalSize) = (file.name, file.size)
        contacts = NDJSONContacts(options: options)
    }

    var bytesRead: Int { contacts.bytesRead }

    mutating func next() throws -> ContactEntry? {
        while true {
            if let entry = contacts.next() { return entry }
            guard !isEnded else { return nil }
            let piece = try [UInt8](from: file.read)
            isEnded = piece.isEmpty
            if isEnded { contacts.end() } else { contacts.feed(piece) }
        }
    }
}
