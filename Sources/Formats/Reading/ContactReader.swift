/// A source of contacts, a file or a server. It is read one contact at a time, in memory that does not grow with the
/// source.
package protocol ContactSource {
    /// The path as it was given, or "standard input".
    var name: String { get }

    /// The size of the source, in bytes, or in contacts for a server. Nil if unknown, as with a pipe.
    var totalSize: Int? { get }

    /// How much of the source the entries so far used.
    var bytesRead: Int { get }

    /// The next entry; nil at the end. A bad contact is an entry. An error ends the reading.
    mutating func next() async throws -> ContactEntry?
}

/// Reads contacts from a file, without waiting.
package protocol ContactReader: ContactSource {
    mutating func next() throws -> ContactEntry?
}

/// One entry of a source.
package enum ContactEntry: Hashable, Sendable {
    /// A contact, and the line on which it begins.
    case contact(line: Int, Friend)

    /// A contact that was left out. The reason names lines, columns and properties, but never their content.
    case refused(line: Int, reason: String)

    /// A part of the previous contact that was left out: an address without street, city and country. Or a row that is
    /// not a contact, such as a sum.
    case noted(line: Int, reason: String)
}

/// Settings for reading a source.
package struct ReadingOptions: Hashable, Sendable {
    /// The default for a contact without a country.
    package var country = ""

    /// The encoding of a file.
    package var encoding = TextEncoding.automatic

    /// The meaning of the columns of a table. Nil means: guess from the header.
    package var mapping: ColumnMapping?

    /// The columns of a table that has no header.
    package var columns: ColumnNames?

    /// The name of a sheet of a workbook. Nil means the one with the most addresses.
    package var sheet: String?

    /// True if an address on one line is split into its parts. Without it, counting addresses takes far less time.
    var readsLines = true

    package init() {}
}
