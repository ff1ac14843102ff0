import JSON

/// Reads contacts from the file that Monica writes with Settings > Export as JSON.
///
/// It has a list of lists in `account.data`, each with the type of its values: users, contacts, photos, activities.
package struct ContactsMonica: JSONContactReader {
    package let name: String
    package let totalSize: Int?
    private let options: ReadingOptions
    var elements: JSONElements
    private var keys = KeyLines()
    var waiting: ArraySlice<ContactEntry> = []
    var isEnded = false
    private var hasVersion = false
    /// The position of the list that contains contacts.
    private var contactsAt: Int?
    /// The position of a list whose type is known.
    private var typedAt: Int?

    /// The longest contact, in bytes. It includes all notes, calls and conversations.
    static let largestContact = 16 << 20
    private enum Path: Int { case version, type, values }

    /// Reads bytes from `read`, as if they came from a file of this name.
    package init(
        name: String, size: Int?, options: ReadingOptions, chunkSize: Int = 256 << 10,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        (self.name, totalSize, self.options) = (name, size, options)
        elements = JSONElements(
            at: [["version"], ["account", "data", "*", "type"], ["account", "data", "*", "values", "*"]],
            largest: Self.largestContact, chunkSize: chunkSize, read: read)
    }

    mutating func take(_ element: JSONElement) throws {
        switch Path(rawValue: element.path) {
        case .version: hasVersion = true
        case .type:
            typedAt = element.places[2]
            contactsAt = element.bytes == Array(#""contact""#.utf8) ? typedAt : nil
        case .values:
            guard typedAt == element.places[2] else {
                throw FileError(
                    file: name,
                    problem: "line \(element.line): a list stands before its \"type\"; Monica writes the type first")
            }
            if contactsAt == typedAt { waiting += entries(element)[...] }
        case nil: break
        }
    }

    private mutating func entries(_ element: JSONElement) -> [ContactEntry] {
        do throws(UnusableContact) {
            guard let bytes = element.bytes else { throw UnusableContact(reason: "it is longer than 16 MiB") }
            guard let contact = try MonicaContact(exported: Self.value(of: bytes)) else { return [] }
            try keys.enter(contact.friend.sourceKey, line: element.line)
            return contact.draft(line: element.line, options: options).entries
        } catch {
            return [.refused(line: element.line, reason: error.reason)]
        }
    }

    mutating func finish() throws {
        guard hasVersion, typedAt != nil else {
            throw FileError(file: name, problem: "is JSON, but no export of Monica; it has no \"account.data\"")
        }
    }
}

/// Reads the contacts of a Monica server one by one.
package struct MonicaContacts: ContactSource {
    private var pages: MonicaPages
    private var waiting: ArraySlice<ContactEntry> = []

    package init(_ pages: MonicaPages) {
        self.pages = pages
    }

    package var name: String { pages.name }
    /// These two count contacts, because the server doesn't announce sizes in bytes.
    package var totalSize: Int? { pages.total }
    package var bytesRead: Int { pages.count }

    package mutating func next() async throws -> ContactEntry? {
        while waiting.isEmpty, let page = try await pages.next() { waiting = page[...] }
        return waiting.popFirst()
    }
}
