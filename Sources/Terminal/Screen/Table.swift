/// A table: rows of text below a heading.
///
///     var table = Table(.left("STATE"), .right("JOBS"))
///     table.add("queued", Readable.count(1_234))
///     table.write(to: .output)
package struct Table: Sendable {
    private let columns: [Column]
    private var rows: [[String]] = []

    package init(_ columns: Column...) {
        self.columns = columns
    }

    /// A table with a row for each of `rows`.
    package init<Row>(_ columns: [TableColumn<Row>], of rows: some Sequence<Row>) {
        self.columns = columns.map(\.column)
        self.rows = rows.map { row in columns.map { $0.text(row).printable } }
    }

    /// Adds a row, one cell for each column.
    package mutating func add(_ cells: String...) {
        precondition(cells.count == columns.count, "a row of \(cells.count) cells in \(columns.count) columns")
        rows.append(cells.map(\.printable))
    }

    package func write(to screen: Screen) {
        screen.write(text(on: screen))
    }

    /// The lines: the heading, then the rows.
    package func lines(on screen: Screen) -> [String] {
        text(on: screen).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// On a terminal no line is wider than the window. In a file or a pipe nothing is cut.
    func text(on screen: Screen) -> String {
        let widths = widths(within: screen.isTerminal ? screen.width : nil)
        let heading = line(columns.map(\.title), widths: widths, on: screen) { _, _ in .bold }
        let body = rows.map { row in line(row, widths: widths, on: screen) { column, cell in column.style(cell) } }
        return ([heading] + body).map { "\($0)\n" }.joined()
    }

    private func line(
        _ cells: [String], widths: [Int], on screen: Screen, style: (Column, String) -> Style?
    ) -> String {
        let pieces = columns.indices.map { index in
            let cell = cells[index].truncated(to: widths[index])
            let space = String(repeating: " ", count: widths[index] - cell.columns)
            let styled = style(columns[index], cells[index]).map { screen.styled(cell, $0) } ?? cell
            return columns[index].isRight ? space + styled : styled + space
        }
        let line = pieces.joined(separator: Self.gap)
        return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
    }

    private static let gap = "  "

    /// Narrows the widest column until all columns fit, so that narrow ones stay readable.
    private func widths(within limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            rows.map { $0[index].columns }.reduce(columns[index].title.columns, max)
        }
        guard let limit else { return widths }
        let room = limit - Self.gap.count * (columns.count - 1)
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > 1,
            let index = widths.firstIndex(of: widest)
        {
            widths[index] -= 1
        }
        return widths
    }
}

extension Table {
    package struct Column: Sendable {
        let title: String
        let isRight: Bool

        /// The style of a cell with this text: a failed job is red.
        let style: @Sendable (String) -> Style?

        package static func left(
            _ title: String, style: @escaping @Sendable (String) -> Style? = { _ in nil }
        ) -> Self {
            Column(title: title.printable, isRight: false, style: style)
        }

        /// A right-aligned column, for numbers.
        package static func right(
            _ title: String, style: @escaping @Sendable (String) -> Style? = { _ in nil }
        ) -> Self {
            Column(title: title.printable, isRight: true, style: style)
        }
    }
}

/// A column of a table of `Row`, with the text of its cells.
package struct TableColumn<Row>: Sendable {
    let column: Table.Column
    let text: @Sendable (Row) -> String

    package static func left(
        _ title: String, style: @escaping @Sendable (String) -> Style? = { _ in nil },
        _ text: @escaping @Sendable (Row) -> String
    ) -> Self {
        Self(column: .left(title, style: style), text: text)
    }

    package static func right(
        _ title: String, style: @escaping @Sendable (String) -> Style? = { _ in nil },
        _ text: @escaping @Sendable (Row) -> String
    ) -> Self {
        Self(column: .right(title, style: style), text: text)
    }
}
