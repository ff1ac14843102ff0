/// Where contacts come from, one at a time, in memory that does not grow with it: a file or a server.
package protocol ContactSource {
    /// As the person wrote it, or "standard input".
    var name: String { get }

    /// How large the source is: in bytes, and a server in contacts. Nil if unknown, as with a pipe.
    var totalSize: Int? { get }

    /// How much of it the entries so far took.
    var bytesRead: Int { get }

    /// The next entry; nil at the end. A bad contact is an entry. What is thrown ends the reading.
    mutating func next() async throws -> ContactEntry?
}

/// Reads contacts from a file, which needs no waiting.
package protocol ContactReader: ContactSource {
    mutating func next() throws -> ContactEntry?
}

/// What stands next in a source.
package enum ContactEntry: Hashable, Sendable {
    /// A contact, and the line on which it begins.
    case contact(line: Int, Friend)

    /// A contact that was left out. The reason names lines, columns and properties, and nothing that stands in them.
    case refused(line: Int, reason: String)

    /// A part of the contact before it that was left out: an address without street, city and country.
    case noted(line: Int, reason: String)
}

/// How a source is to be read.
package struct ReadingOptions: Hashable, Sendable {
    /// Stands in for the country where a contact has none.
    package var country = ""

    /// How the bytes of a file are to be read.
    package var encoding = TextEncoding.automatic

    /// Which column of a CSV file tells what. Nil guesses from the header.
    package var mapping: ColumnMapping?

    /// The columns of a CSV file that has no header.
    package var columns: ColumnNames?

    /// Whether an address on one line is read into its parts. Who only counts addresses saves most of the time without.
    package var readsLines = true

    package init() {}
}
