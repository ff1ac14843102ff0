import Contacts
import Formats
import Postgres

/// Writes a file of contacts once more, as it is, with the places of its addresses added.
struct CopyWork: Sendable {
    let app: Application
    let source: Source
    let account: String
    var added = AddedColumns.usual
    /// Of a table; nil for that of the source.
    var encoding: FileEncoding?

    /// Contacts whose places are read at a time.
    private static let pieceSize = 1_000

    /// Returns the copy, which has no name yet; nil where a source can't be copied. `onProgress` is told of each piece how many
    /// contacts are in it.
    func run(to output: String, onProgress: (Int) -> Void) async throws -> OutputFile? {
        guard var copy = try source.copy(to: output, encoding, adding: added) else { return nil }
        while let keys = try copy.read(limit: Self.pieceSize) {
            let places = try await app.database.run { [contacts = app.contacts, account] in
                try contacts.places(ofKeys: keys, account: account, on: $0)
            }
            try copy.write(places)
            onProgress(keys.count)
        }
        return try copy.finish()
    }
}

extension Source {
    /// Whether a file of this name has the source's own format.
    func isCopied(to output: String) -> Bool {
        switch (format, try? PlaceFormat(path: output)) {
        case (.csv, .csv), (.csv, .tsv), (.vCard, .vCard): true
        default: false
        }
    }

    fileprivate func copy(
        to output: String, _ encoding: FileEncoding?, adding added: AddedColumns
    ) throws -> (any SourceCopy)? {
        guard let path = lastingPath else { return nil }
        switch format {
        case .csv:
            // Whoever copies rows needs their keys, and how many addresses they have.
            var options = options
            options.readsLines = false
            return try CSVCopy(
                of: ContactsCSV(path: path, options: options), to: OutputFile(path: output),
                encoding: encoding ?? .ofFile(path, readAs: options.encoding),
                isTabbed: (try? PlaceFormat(path: output)) == .tsv, adding: added)
        case .vCard: return try VCardCopy(of: path, to: OutputFile(path: output), options: options, adding: added)
        case .ldif, .geoJSON, .ndjson, .monica: return nil
        }
    }
}
