/// The kinds of file that contacts are read from.
package enum SourceFormat: Sendable, CaseIterable {
    case csv
    case vCard

    /// The kind that the name ends in; where it does not tell, and for standard input, `-`, what the first bytes look like.
    package init(path: String) throws {
        let name = path.lowercased()
        if [".csv", ".tsv", ".txt"].contains(where: name.hasSuffix) {
            self = .csv
        } else if [".vcf", ".vcard"].contains(where: name.hasSuffix) {
            self = .vCard
        } else {
            self = Self(beginning: try InputFile.beginning(of: path))
        }
    }

    /// CSV is what has no sign of its own.
    init(beginning: [UInt8]) {
        // UTF-16 has a zero beside each of these letters.
        let text = String(decoding: beginning.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self).trimmed.uppercased()
        self = text.hasPrefix("BEGIN:VCARD") ? .vCard : .csv
    }

    /// Opens `path` to be read.
    package func reader(path: String, options: ReadingOptions) throws -> any ContactReader {
        switch self {
        case .csv: try ContactsCSV(path: path, options: options)
        case .vCard: try ContactsVCard(path: path, options: options)
        }
    }
}
