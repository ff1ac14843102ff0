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

    init(header: [String]) throws(UnknownHeader) {
        self.header = header
        for (column, name) in header.enumerated() {
            let key = ContactField.key(name)
            if let field = ContactField(key: key) {
                add(column, as: field)
            } else if let (group, field) = AddressGroup.split(key) {
                add(column, as: field, of: group)
            }
        }
        // A column "Type" alone is not an address: it may be the kind of contact.
        addresses.removeAll { !$0.columns.keys.contains(where: \.isPlace) }
        guard !addresses.isEmpty else { throw UnknownHeader(header: header) }
        settleName()
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

    var description: String {
        """
        no column is known as a part of an address
          found: \(header.shown)
          works: name,street,city,region,postcode,country
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
    fileprivate var shown: String {
        let names = prefix(20).map { name in
            String(
                String.UnicodeScalarView(
                    name.unicodeScalars.prefix(40).filter { $0.properties.generalCategory != .control }))
        }
        let rest = count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
