import Geocoding

/// Reads contacts from a CSV file, one after the other, in memory that hardly grows with the file.
///
///     var contacts = try ContactsCSV(path: "contacts.csv")
///     while let entry = try contacts.next() { … }
package struct ContactsCSV {
    package enum Entry: Sendable {
        /// `line` is the line of the file on which the contact begins.
        case contact(line: Int, Friend)

        /// The reason names columns, never what stands in them.
        case refused(line: Int, reason: String)
    }

    /// No address has a field longer than this; a runaway quote does.
    private static let longestField = 2_000

    private var reader: CSVReader
    private let columns: ContactColumns

    /// The line on which an id came first. Ids are kept as hashes: a million of them take 16 MB.
    private var linesOfIDs: [Int: Int] = [:]

    /// How often each name came, for contacts without an id.
    private var countsOfNames: [Int: Int] = [:]

    package init(path: String) throws {
        reader = try CSVReader(path: path)
        switch try reader.next() {
        case nil: throw FileError(file: reader.name, problem: "is empty")
        case .refused(let line, let reason)?: throw FileError(file: reader.name, problem: "line \(line): \(reason)")
        case .fields(_, let header)?: columns = try ContactColumns(header: header, of: reader.name)
        }
    }

    /// How large the file is; nil for a pipe.
    package var size: Int? { reader.totalSize }

    package var bytesRead: Int { reader.bytesRead }

    package mutating func next() throws -> Entry? {
        switch try reader.next() {
        case nil: nil
        case .refused(let line, let reason)?: .refused(line: line, reason: reason)
        case .fields(let line, let fields)?: entry(line, fields.map(Self.trimmed))
        }
    }

    private mutating func entry(_ line: Int, _ fields: [String]) -> Entry {
        if let reason = objection(to: fields) { return .refused(line: line, reason: reason) }
        let name = columns.name(in: fields)
        let addresses = columns.groups.map { address($0, in: fields) }.filter { !$0.address.isEmpty }
        let id = columns.idColumn.flatMap { $0 < fields.count ? fields[$0] : nil } ?? ""
        guard !id.isEmpty || !name.isEmpty || !addresses.isEmpty else {
            return .refused(line: line, reason: "the row has neither a name nor an address nor an id")
        }
        if id.isEmpty {
            return .contact(line: line, Friend(sourceKey: key(forName: name), name: name, addresses: addresses))
        }
        if let first = linesOfIDs.updateValue(line, forKey: id.hashValue) {
            linesOfIDs[id.hashValue] = first
            return .refused(line: line, reason: "the id is the same as on line \(first)")
        }
        return .contact(line: line, Friend(sourceKey: "id:\(id)", name: name, addresses: addresses))
    }

    /// The same file gives the same keys again: that is how a second import finds the first one's friends.
    private mutating func key(forName name: String) -> String {
        let folded = Folding.canonical(name)
        countsOfNames[folded.hashValue, default: 0] += 1
        return "name:\(folded)#\(countsOfNames[folded.hashValue, default: 1])"
    }

    private func objection(to fields: [String]) -> String? {
        let width = columns.header.count
        if fields.count > width, fields[width...].contains(where: { !$0.isEmpty }) {
            return "the row has \(fields.count) fields, the header has \(width)"
        }
        if let long = fields.indices.first(where: { fields[$0].utf8.count > Self.longestField }), long < width {
            return "the column \"\(columns.header[long])\" holds more than \(Self.longestField) bytes"
        }
        return nil
    }

    private func address(_ group: ContactColumns.Group, in fields: [String]) -> LabelledAddress {
        func part(_ part: ContactColumns.AddressPart) -> String {
            guard let column = group.columns[part], column < fields.count else { return "" }
            // Google Contacts puts several values of one kind into one field.
            return fields[column].split(separator: " ::: ").first.map(String.init) ?? ""
        }
        let label = part(.label)
        return LabelledAddress(
            label: label.isEmpty ? group.label : label,
            address: Address(
                street: [part(.street), part(.street2)].filter { !$0.isEmpty }.joined(separator: "\n"),
                city: part(.city), region: part(.region), postcode: part(.postcode), country: part(.country)))
    }

    private static func trimmed(_ field: String) -> String {
        guard let first = field.first, let last = field.last, first.isWhitespace || last.isWhitespace else {
            return field
        }
        var rest = field[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
