/// Which column of a file tells what.
///
/// A row may carry several addresses: Google writes `Address 1 - Street`, `Address 2 - Street`, Outlook `Home Street`
/// and `Business Street`.
struct ContactColumns {
    /// The columns for each field of the contact itself. Where there are several, the first that says something counts.
    private(set) var contact: [ContactField: [Int]] = [:]

    /// In the order in which the file has them.
    private(set) var addresses: [AddressColumns] = []

    let header: [String]

    /// Whether the file is an export of ours, by the column that only we write. A row of it has one address, and texts
    /// mean nothing but themselves.
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
        // The column "Type" alone is no address: it may be the kind of contact.
        addresses.removeAll { !$0.columns.keys.contains(where: \.isPlace) }
        guard !addresses.isEmpty else { throw UnknownHeader(header: header) }
        settleName()
    }

    /// The columns that a person named, and no others.
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

    /// "Name" beside "Vorname" is the family name, "nombre" beside "apellidos" the given one.
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

/// No column of the header is a part of an address.
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

/// A mapping names columns that the header has not.
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
    /// A file may be anything, and its first line very long.
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
