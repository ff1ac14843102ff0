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
