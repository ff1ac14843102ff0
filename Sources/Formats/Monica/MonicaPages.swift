import JSON

/// The contacts of a Monica server, a page at a time; one page is in memory.
package struct MonicaPages {
    private let server: MonicaServer
    private let options: ReadingOptions
    private var keys = KeyLines()
    private var page = 1
    private var isEnded = false
    /// How many contacts came so far: each has its number where an entry of a file has its line.
    private(set) var count = 0

    /// How many contacts the server has; nil until the first page is here.
    package private(set) var total: Int?

    init(server: MonicaServer, options: ReadingOptions) {
        (self.server, self.options) = (server, options)
    }

    /// The host, as errors name it.
    var name: String { server.name }

    /// The entries of the next page; nil behind the last one. What is thrown ends the reading, and none of the pages
    /// before it may be taken for all of the contacts.
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

    /// A deletion moves another contact to a page that was read already: that one would seem to be deleted.
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

    /// Goes by the number of pages, or by the link to the next one. The link itself is not followed: behind a proxy it
    /// often names another host, and the token is for this one.
    private static func isLast(_ answer: JSONValue) -> Bool {
        guard let members = answer.object, members["data"]?.list?.isEmpty == false else { return true }
        let meta = members["meta"]?.object
        if let current = meta?["current_page"]?.number, let last = meta?["last_page"]?.number { return current >= last }
        return members["links"]?.object?["next"]?.text == nil
    }
}
