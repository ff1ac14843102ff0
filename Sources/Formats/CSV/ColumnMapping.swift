/// Assigns columns of a table to fields, one on each line:
///
///     # of our shop
///     id = Kd-Nr
///     street = Straße + Nr
///     work.city = Firmensitz
///     - = Land
///
/// The word before a dot is the label of a separate address. A column of `-` is not read. All other columns are read as
/// without a mapping, unless the mapping gives their field to another column.
package struct ColumnMapping: Hashable, Sendable {
    struct Rule: Hashable, Sendable {
        let line: Int
        let group: String
        /// Nil for a column that is not read.
        let field: ContactField?
        let column: String
    }

    /// The path as it was given.
    package let name: String
    private(set) var rules: [Rule] = []

    /// Reads the file at `path`.
    package init(path: String) throws {
        let file = try InputFile(path: path)
        var bytes: [UInt8] = []
        while case let piece = try [UInt8](atMost: 64 << 10, from: file.read), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= 1 << 20 else {
                throw FileError(file: file.name, problem: "is too large for a mapping")
            }
        }
        try self.init(String(decoding: bytes, as: UTF8.self), name: file.name)
    }

    /// Reads `text`, or throws all of its mistakes at once.
    package init(_ text: String, name: String) throws {
        self.name = name
        var mistakes: [String] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = (index == 0 && line.first == "\u{FEFF}" ? line.dropFirst() : line).trimmed
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do { try add(line, number: index + 1) } catch { mistakes.append("line \(index + 1): \(error)") }
        }
        if mistakes.isEmpty, rules.isEmpty { mistakes.append("maps no column; for example: city = Ort") }
        guard mistakes.isEmpty else { throw FileError(file: name, problem: mistakes.joined(separator: "\n  ")) }
    }

    /// Returns whether a rule names the column with this heading.
    func names(_ heading: String) -> Bool {
        rules.contains { $0.column == heading.trimmed || ContactField.key($0.column) == ContactField.key(heading) }
    }

    /// Returns whether the mapping gives the field of this address to a column, or a field that contains it.
    func overrules(_ field: ContactField, of group: String) -> Bool {
        rules.contains { rule in
            guard rule.group == group, let named = rule.field else { return false }
            return named == field || Self.parts[named]?.contains(field) == true
        }
    }

    private static let parts: [ContactField: Set<ContactField>] = [
        .formatted: [.street, .houseNumber, .street2, .poBox, .postcodeCity, .city],
        .postcodeCity: [.city, .postcode], .geo: [.latitude, .longitude], .latitude: [.geo],
        .longitude: [.geo], .name: [.given, .middle, .family], .given: [.name], .family: [.name],
    ]

    private mutating func add(_ line: String, number: Int) throws(ColumnMistake) {
        guard let sign = line.firstIndex(of: "=") else { throw ColumnMistake("it has no =; write field = column") }
        let column = line[line.index(after: sign)...].trimmed
        guard !column.isEmpty else { throw ColumnMistake("it names no column after the =") }
        let word = line[..<sign].trimmed
        guard word != "-" else { return rules.append(Rule(line: number, group: "", field: nil, column: column)) }
        let dot = word.firstIndex(of: ".")
        let group = dot.map { word[..<$0].trimmed } ?? ""
        let name = dot.map { word[word.index(after: $0)...].trimmed } ?? word
        guard let field = ContactField(header: name) else {
            let known = ContactField.allCases.map { "\($0)" }.joined(separator: ", ")
            throw ColumnMistake("\"\(name)\" is not a field; there are \(known)")
        }
        guard group.isEmpty || field.isOfAddress else {
            throw ColumnMistake("\(field) is not a part of an address, and takes no word before a dot")
        }
        if let earlier = rules.first(where: { $0.group == group && $0.field == field }) {
            throw ColumnMistake("line \(earlier.line) already assigns \(word)")
        }
        rules.append(Rule(line: number, group: group, field: field, column: column))
    }
}
