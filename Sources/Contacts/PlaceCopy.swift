package import Formats
package import Postgres

/// Copies a file of contacts and adds the places of its addresses.
package struct PlaceCopy: Sendable {
    private let database: any DatabaseAccess
    private let account: String
    private let added: AddedColumns
    /// The encoding of a table; nil for that of the source.
    private let encoding: FileEncoding?
    /// The decimal mark of a table; nil for that of the source.
    private let decimal: DecimalMark?

    /// For how many contacts places are read at a time.
    private static let pieceSize = 1_000

    package init(
        database: any DatabaseAccess, account: String, added: AddedColumns = .usual, encoding: FileEncoding? = nil,
        decimal: DecimalMark? = nil
    ) {
        self.decimal = decimal
        (self.database, self.account, self.added, self.encoding) = (database, account, added, encoding)
    }

    /// Returns the copy, which has no name yet; nil if the source can't be copied. `onProgress` gets the number of
    /// contacts in each piece.
    package func run(
        _ source: Source, to output: String, onProgress: (Int) -> Void = { _ in }
    ) async throws -> OutputFile? {
        guard var copy = try source.copy(to: output, encoding, decimal: decimal, adding: added) else { return nil }
        while let keys = try copy.read(limit: Self.pieceSize) {
            let places = try await database.run(within: nil) { [account] in
                try ContactStore().places(ofKeys: keys, account: account, on: $0)
            }
            try copy.write(places)
            onProgress(keys.count)
        }
        return try copy.finish()
    }
}
