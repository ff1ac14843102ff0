/// The meaning of the columns of a file.
///
/// A row may have several addresses: Google writes `Address 1 - Street`, `Address 2 - Street`, Outlook `Home Street`
/// and `Business Street`.
struct ContactColumns {
    /// The columns for each field of the contact itself. If there are several, the first one with a value counts.
    private(set) var contact: [ContactField: [Int]] = [:]

    /// In the order of the file.
    private(set) var addresses: [AddressColumns] = []

    let header: [String]

    /// True if the file is an export of ours, which has a column that only we write. Each of its rows has one address,
    /// and its texts are not interpreted.
    var isExport: Bool { contact[.key] != nil }

    /// With the first rows of the file, columns with unknown names are guessed from their content if no name is a part of
    /// an address.
    init(header: [String], rows: [[String]] = []) throws(UnknownHeader) {
        self.header = header
        readNames()
        if !hasTown(rows) { readSharedWords(rows) }
        if addresses.isEmpty { readContent(of: rows) }
        guard !addresses.isEmpty else { throw UnknownHeader(header: header, isContact: isContact) }
        settleName()
    }

    /// True if the first line has no known name, and looks like an address. Many a word is also the name of a small town.
    private var isContact: Bool {
        let fields = header.compactMap { ColumnContent.field(of: $0) }
        return contact.isEmpty && (fields.contains { $0 != .city } || fields.count > 1)
    }

    private mutating func readNames() {
        let keys = header.map(ContactField.key)
        let words = ColumnWords(ofHeader: keys)
        var previous: ContactField?
        for (column, key) in keys.enumerated() {
            if let field = words.field(for: key, after: previous) {
                add(column, as: field)
                previous = field
            } else if let (group, field) = AddressGroup.split(key) {
                add(column, as: field, of: group)
                previous = nil
            } else {
                previous = nil
            }
        }
        // A column "Type" alone is not an address: it may be the kind of contact.
        addresses.removeAll { !$0.columns.keys.contains(where: \.isPlace) }
    }

    /// True if an address has a town, in a column or in its line.
    private func hasTown(_ rows: [[String]]) -> Bool {
        addresses.contains { address in
            [.city, .postcodeCity, .formatted].contains { address.columns[$0] != nil }
                || (address.columns[.street] ?? []).contains { content(of: $0, in: rows) == .formatted }
        }
    }

    private func content(of column: Int, in rows: [[String]]) -> ContactField? {
        ColumnContent.field(of: rows.map { column < $0.count ? $0[column] : "" })
    }

    /// Reads columns whose names share a word that the table lacks: `Shipping City` and `Shipping Zip`, or `POCity` and
    /// `PORegion`.
    private mutating func readSharedWords(_ rows: [[String]]) {
        var groups: [(word: String, columns: [(column: Int, field: ContactField)])] = []
        for (column, name) in header.enumerated() {
            guard let (word, field) = AddressGroup.sharedWord(of: ContactField.key(name)) else { continue }
            if let place = groups.firstIndex(where: { $0.word == word }) {
                groups[place].columns.append((column, field))
            } else {
                groups.append((word, [(column, field)]))
            }
        }
        groups.removeAll { group in
            let places = group.columns.filter(\.field.isPlace)
            // "Email Address" is not a place.
            guard let only = places.first, places.count == 1 else {
                return places.allSatisfy { [.region, .postcode, .country].contains($0.field) }
            }
            let content = content(of: only.column, in: rows)
            return content != .street && content != .formatted
        }
        for (word, columns) in groups {
            // Etsy writes `Street 1` next to `Ship City` and `Ship Country`: one address.
            let isRest = groups.count == 1 && columns.allSatisfy { addresses.first?.columns[$0.field] == nil }
            let group = AddressGroup(key: isRest ? "" : word, label: isRest ? "" : word)
            for (column, field) in columns where field.isOfAddress || contact[field] == nil {
                add(column, as: field, of: group)
            }
        }
    }

    private mutating func readContent(of rows: [[String]]) {
        for column in header.indices {
            guard let field = content(of: column, in: rows), field.isPlace,
                addresses.first?.columns[field] == nil
            else { continue }
            add(column, as: field)
        }
        // A country or a postcode alone may be anything.
        let isAddress = addresses.contains { !$0.columns.keys.allSatisfy { [.country, .postcode].contains($0) } }
        if !isAddress { addresses = [] }
    }

    /// True if the header has the content of the rows, so that it is a row too. For columns that were guessed.
    func isHeaderRow(likeThose rows: [[String]]) -> Bool {
        guard !rows.isEmpty, addresses.count == 1, let columns = addresses.first?.columns else { return false }
        return columns.allSatisfy { field, columns in
            columns.allSatisfy { ColumnContent.field(of: header[$0]) == field }
        }
    }

    /// Uses only the columns of the mapping.
    init(header: [String], mapping: ColumnMapping) throws(MissingColumns) {
        self.header = header
        var missing: [ColumnMapping.Rule] = []
        for rule in mapping.rules {
            let column =
                header.firstIndex { $0.trimmed == rule.column }
                ?? header.firstIndex { ContactField.key($0) == ContactField.key(rule.column) }
            if let column {
                add(column, as: rule.field, of: AddressGroup(key: rule.group, label: rule.group))
            } else {
                missing.append(rule)
            }
        }
        guard missing.isEmpty else { throw MissingColumns(mapping: mapping.name, rules: missing, header: header) }
    }

    private mutating func add(_ column: Int, as field: ContactField) {
        add(column, as: field, of: AddressGroup(key: "", label: ""))
    }

    private mutating func add(_ column: Int, as field: ContactField, of group: AddressGroup) {
        guard field.isOfAddress else {
            contact[field, default: []].append(column)
            return
        }
        let place = addresses.firstIndex { $0.group.key == group.key } ?? addresses.endIndex
        if place == addresses.endIndex { addresses.append(AddressColumns(group: group)) }
        addresses[place].columns[field, default: []].append(column)
    }

    /// With "Vorname" present, "Name" is the family name; with "apellidos" present, "nombre" is the given name.
    private mutating func settleName() {
        switch (contact[.given], contact[.family]) {
        case (.some, nil): contact[.family] = contact.removeValue(forKey: .name)
        case (nil, .some): contact[.given] = contact.removeValue(forKey: .name)
        default: break
        }
    }
}

/// The columns of one of a row's addresses.
struct AddressColumns {
    let group: AddressGroup
    var columns: [ContactField: [Int]] = [:]
}

/// The header has no column of an address.
struct UnknownHeader: Error, CustomStringConvertible {
    let header: [String]
    /// The first line may be a contact, which is private, and not a header.
    let isContact: Bool

    var description: String {
        if isContact {
            return """
                the first line is not a header, and no column is known as a part of an address
                  Name all columns, - for one to ignore: --columns name,street,city,-
                  Or add a first line: name,street,city,region,postcode,country
                """
        }
        let names = [header.first ?? "", header.dropFirst().first ?? header.first ?? ""].map { [$0].shown }
        return """
            no column is known as a part of an address
              found: \(header.shown)
              works: name,street,city,region,postcode,country
              Or write a file columns.txt with lines like these, and add --mapping columns.txt:
                street = \(names[0])
                city = \(names[1])
              Or, if the first line is not a header, name all columns: --columns name,street,city,-
            """
    }
}

/// A mapping names columns that the header lacks.
struct MissingColumns: Error, CustomStringConvertible {
    let mapping: String
    let rules: [ColumnMapping.Rule]
    let header: [String]

    var description: String {
        let lines = rules.map { "\n  \(mapping), line \($0.line): \([$0.column].shown)" }.joined()
        return "columns that the mapping names are missing from the header\(lines)\n  found: \(header.shown)"
    }
}

extension [String] {
    /// Shortened for an error message: a file may be anything, with a very long first line.
    var shown: String {
        let names = prefix(20).map { name in
            String(
                String.UnicodeScalarView(
                    name.unicodeScalars.prefix(40).filter { $0.properties.generalCategory != .control }))
        }
        let rest = count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
