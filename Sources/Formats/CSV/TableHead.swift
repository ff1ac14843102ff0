/// The first rows of a table, which show its header and the meaning of its columns.
struct TableHead {
    /// The rows above the header: a title, or the names of groups of columns.
    private(set) var above: [[String]] = []
    /// The rows below the header. Nil if nothing is known of them, as in a pipe.
    private(set) var below: [[String]]?

    var rows: [[String]] { below ?? [] }

    /// The most rows above a header.
    private static let mostAbove = 20
    /// The number of rows that are read.
    static let size = mostAbove + ColumnContent.sampleSize

    init() {}

    /// `header` is the number of the header's row. The rows begin with the first one of the table.
    init(_ rows: [[String]], header: Int) {
        above = Array(rows.prefix(header))
        below = Array(rows.dropFirst(header + 1))
    }

    /// The row of the header among the first rows; nil if no row has the name of a part of an address.
    ///
    /// A row of a sheet may be above it, so any of its first rows may be the header. In a CSV file, a row below the
    /// first needs two known names.
    static func header(in rows: [[String]], isSheet: Bool, _ options: ReadingOptions) -> Int? {
        guard options.columns == nil else { return rows.isEmpty ? nil : 0 }
        func count(_ row: [String]) -> (known: Int, cells: Int) {
            let known = (try? ContactColumns(header: row, mapping: options.mapping))?.knownCount ?? 0
            return (known, row.count { !$0.trimmed.isEmpty })
        }
        // The first two rows are enough for most tables.
        var counts = rows.prefix(2).map(count)
        let isUsual = counts.first.map { $0.known > 0 && $0.cells > 1 } == true
        if !isUsual { counts += rows.prefix(mostAbove).dropFirst(2).map(count) }
        let found =
            (isUsual ? 0 : nil) ?? counts.firstIndex { $0.known > 1 }
            ?? (isSheet ? counts.firstIndex { $0.known > 0 && $0.cells > 1 } : nil)
            ?? counts.indices.first { counts[$0].known > 0 && (isSheet || $0 == 0) }
        guard let found else {
            // The content of the columns decides if no name is known.
            return rows.indices.prefix(isSheet ? mostAbove : 1).first {
                (try? ContactColumns(header: rows[$0], head: TableHead(rows, header: $0))) != nil
            }
        }
        // The names of groups, or names for programs, may be above the names of the columns.
        let next = found + 1
        let isSecond =
            options.mapping == nil && next < counts.count && counts[next].known >= max(2, counts[found].known)
            && counts[next].known * 2 > counts[next].cells
        return isSecond ? next : found
    }

    /// The name of the group above each column: the last one that is not blank. Empty if there are no groups.
    func groups(of header: [String]) -> [String] {
        guard let names = above.last, names.count(where: { !$0.trimmed.isEmpty }) > 1 else { return [] }
        var last = ""
        return header.indices.map { column in
            if column < names.count, !names[column].trimmed.isEmpty { last = names[column].trimmed }
            return last
        }
    }

    /// The cells of a column below the header.
    func cells(of column: Int) -> [String] { rows.map { column < $0.count ? $0[column] : "" } }

    /// True if the column has no value.
    func isBlank(_ column: Int) -> Bool { cells(of: column).allSatisfy(\.trimmed.isEmpty) }
}
