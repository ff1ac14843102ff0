import JSON

/// The contacts of a Monica server, read page by page; only one page is in memory.
package struct MonicaPages {
    private let server: MonicaServer
    private let options: ReadingOptions
    private var keys = KeyLines()
    private var page = 1
    private var isEnded = false
    /// How many contacts were read so far. A contact's number is used in place of a line number.
    private(set) var count = 0

    /// How many contacts the server has; nil until the first page was read.
    package private(set) var total: Int?

    init(server: MonicaServer, options: ReadingOptions) {
        (self.server, self.options) = (server, options)
    }

    /// The host, for errors.
    var name: String { server.name }

    /// The entries of the next page; nil after the last one. An error ends the reading, and then the earlier pages must
    /// not be taken for all contacts.
    package mutating func next() async throws -> [ContactEntry]? {
        guard !isEnded else { return nil }
        let answer = try await server.page(page)
        try check(answer)
        var entries: [ContactEntry] = []
        for value in answer.object?["data"]?.list ?? [] {
            count += 1
            entries += read(value)
        }
        page += 1
        isEnded = Self.isLast(answer)
        return entries
    }

    /// A deletion on the server moves another contact to a page that was already read. That contact would then look
    /// deleted, so this throws.
    private mutating func check(_ answer: JSONValue) throws {
        let now = answer.object?["meta"]?.object?["total"]?.number.flatMap { Int(exactly: $0) }
        if let total, let now, now < total {
            throw server.failure("contacts were deleted while they were read; run it again")
        }
        total = now ?? total
    }

    private mutating func read(_ value: JSONValue) -> [ContactEntry] {
        do throws(UnusableContact) {
            guard let contact = try MonicaContact(listed: value) else { return [] }
            try keys.enter(contact.friend.sourceKey, line: count)
            return contact.draft(line: count, options: options).entries
        } catch {
            return [.refused(line: count, reason: error.reason)]
        }
    }

    /// Uses the number of pages, or else the presence of a link to the next page. The link itself is not followed:
    /// behind a proxy it often names another host, which must not get the token.
    private static func isLast(_ answer: JSONValue) -> Bool {
        guard let members = answer.object, members["data"]?.list?.isEmpty == false else { return true }
        let meta = members["meta"]?.object
        if let current = meta?["current_page"]?.number, let last = meta?["last_page"]?.number { return current >= last }
        return members["links"]?.object?["next"]?.text == nil
    }
}
