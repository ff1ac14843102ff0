/// The names of the columns of a CSV file that has no header of its own: `name,street,city,-,country`.
package struct ColumnNames: Hashable, Sendable {
    /// A blank name means that the column is ignored.
    let names: [String]

    /// Reads names with commas between them; `-` means that a column is ignored. Throws all mistakes as one sentence.
    package init(_ text: String) throws(ColumnMistake) {
        names = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed == "-" ? "" : $0.trimmed }
        let unknown = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            .filter { $0 != "-" && !Self.isKnown($0) }
        guard unknown.isEmpty else {
            let fields = ContactField.allCases.map { "\($0)" }.joined(separator: ", ")
            throw ColumnMistake(
                "\(unknown.map { "\"\($0)\"" }.joined(separator: ", ")) \(unknown.count == 1 ? "is not a field" : "are not fields"); "
                    + "there are \(fields), and - for a column to leave out")
        }
        guard (try? ContactColumns(header: names)) != nil else {
            throw ColumnMistake("no column is a part of an address; name one, such as city")
        }
    }

    private static func isKnown(_ name: String) -> Bool {
        let key = ContactField.key(name)
        return ContactField(key: key) != nil || AddressGroup.split(key) != nil
    }
}

/// The reason why a text does not name columns, in one sentence.
package struct ColumnMistake: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
