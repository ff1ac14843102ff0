import Contacts
import Formats
import Postgres

/// Copies a file of contacts and adds the places of its addresses.
struct CopyWork: Sendable {
    let app: Application
    let source: Source
    let account: String
    var added = AddedColumns.usual
    /// The encoding of a table; nil for that of the source.
    var encoding: FileEncoding?

    /// For how many contacts places are read at a time.
    private static let pieceSize = 1_000

    /// Returns the copy, which has no name yet; nil if the source can't be copied. `onProgress` gets the number of
    /// contacts in each piece.
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
    /// Returns whether a file of this name has the source's own format.
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
            // Copying rows only needs their keys and the number of their addresses.
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
