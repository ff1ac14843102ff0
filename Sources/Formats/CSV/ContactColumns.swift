/// The meaning of the columns of a file.
///
/// A row may have several addresses: Google writes `Address 1 - Street`, `Address 2 - Street`, Outlook `Home Street`
/// and `Business Street`.
struct ContactColumns {
    /// The columns for each field of the contact itself. If there are several, the first one with a value counts.
    private(set) var contact: [ContactField: [Int]] = [:]

    /// In the order of the file.
    var addresses: [AddressColumns] = []

    let header: [String]
    let head: TableHead

    /// The columns whose names are not read, for a reason other than that they are unknown.
    var leftOut: [(columns: Range<Int>, reason: String)] = []
    /// True if no name is known, so the content of the columns was read.
    private(set) var isGuessed = false
    let mapping: ColumnMapping?
    let keys: [String]
    /// For each column the address to which it belongs by its place in the table.
    var places: [AddressGroup]
    /// The columns that have a meaning, or can't have one.
    var taken: Set<Int> = []

    private static let longestName = 100

    /// The most columns that are read: names are compared with each other.
    private static let mostColumns = 1_000

    /// True if the file is an export of ours, which has a column that only we write. Each of its rows has one address,
    /// and its texts are not interpreted.
    var isExport: Bool { contact[.key] != nil }

    /// The number of the columns that are read.
    var knownCount: Int { Set((addresses.flatMap(\.columns) + Array(contact)).flatMap(\.value)).count }

    /// Columns with unknown names are guessed from their content, if no name is a part of an address. `mapping` takes
    /// precedence over all names. Throws `UnknownHeader` or `MissingColumns`.
    init(header: [String], head: TableHead = TableHead(), mapping: ColumnMapping? = nil) throws {
        // A name may be in the row of the groups: the cells of both rows are one.
        let above = head.groups(of: header).isEmpty ? [] : head.above.last ?? []
        let header = header.enumerated().map { column, name in
            name.trimmed.isEmpty && column < above.count ? above[column] : name
        }
        (self.header, self.head, self.mapping) = (header, head, mapping)
        // A row may be tried as a header, with a text of any length.
        keys = header.map { ContactField.key(String($0.prefix(Self.longestName))) }
        places = header.map { _ in .only }
        try readMapping()
        if header.count > Self.mostColumns { leaveOut(Self.mostColumns..<header.count, "only 1,000 columns are read") }
        separateTables()
        readNames()
        if !hasTown { readSharedWords() }
        readParts()
        if addresses.isEmpty {
            isGuessed = true
            readContent()
        }
        correctByContent()
        readStreet()
        shareCountry()
        guard !addresses.isEmpty else { throw UnknownHeader(header: header, hasName: !contact.isEmpty) }
        settleName()
    }

    private mutating func readMapping() throws {
        guard let mapping else { return }
        var missing: [ColumnMapping.Rule] = []
        for rule in mapping.rules {
            let column =
                header.firstIndex { $0.trimmed == rule.column }
                ?? keys.firstIndex(of: ContactField.key(rule.column))
            guard let column else {
                missing.append(rule)
                continue
            }
            taken.insert(column)
            guard let field = rule.field else { continue }
            insert(column, as: field, of: AddressGroup(key: rule.group, label: rule.group))
        }
        guard missing.isEmpty else { throw MissingColumns(mapping: mapping.name, rules: missing, header: header) }
    }

    private mutating func readNames() {
        let words = ColumnWords(ofHeader: keys)
        let numbers = numberedAddresses
        var previous: ContactField?
        for (column, key) in keys.enumerated() {
            let before = previous
            previous = nil
            guard !taken.contains(column) else { continue }
            if let (base, number) = ContactField.numbered(key), numbers.contains(number),
                let field = ContactField(key: base), field.isOfAddress
            {
                add(column, as: field, of: AddressGroup(key: "\(number)", label: ""))
            } else if let field = words.field(for: key, after: before) {
                add(column, as: field, of: places[column])
                previous = field
            } else if let (group, field) = AddressGroup.split(key) {
                add(column, as: field, of: group)
            } else if let field = HeadingParts.field(of: name(of: column)) {
                add(column, as: field, of: places[column])
                previous = field
            }
        }
        // A column "Type" alone is not an address: it may be the kind of contact. A country that is named twice is not
        // a second address either.
        removeAddresses { address in
            !address.columns.keys.contains(where: \.isPlace)
                || address.group.label.isEmpty && address.group != .only
                    && !address.columns.keys.contains(where: \.isAddressAlone)
        }
    }

    /// The numbers of the towns in a header with `City 1` and `City 2`.
    private var numberedAddresses: Set<Int> {
        Set(
            keys.compactMap { key in
                guard let (base, number) = ContactField.numbered(key), let field = ContactField(key: base),
                    ContactField(key: key) == nil
                else { return nil }
                return [.city, .postcode, .postcodeCity].contains(field) ? number : nil
            })
    }

    /// True if an address has a town, in a column or in its line.
    private var hasTown: Bool {
        addresses.contains { address in
            [.city, .postcodeCity, .formatted].contains { address.columns[$0] != nil }
                || (address.columns[.street] ?? []).contains { content(of: $0) == .formatted }
        }
    }

    func name(of column: Int) -> String { String(header[column].prefix(Self.longestName)) }

    func content(of column: Int) -> ContactField? { ColumnContent.field(of: head.cells(of: column)) }

    /// Reads columns whose names share a word that the table lacks: `Shipping City` and `Shipping Zip`, or `POCity` and
    /// `PORegion`.
    private mutating func readSharedWords() {
        var groups: [(word: String, columns: [(column: Int, field: ContactField)])] = []
        for (column, key) in keys.enumerated() where !taken.contains(column) {
            guard let (word, field) = AddressGroup.sharedWord(of: key) else { continue }
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
            let content = content(of: only.column)
            return content != .street && content != .formatted
        }
        for (word, columns) in groups {
            // Etsy writes `Street 1` next to `Ship City` and `Ship Country`: one address.
            let isRest = groups.count == 1 && columns.allSatisfy { addresses.first?.columns[$0.field] == nil }
            let group = isRest ? .only : AddressGroup(key: word, label: word)
            for (column, field) in columns where field.isOfAddress || contact[field] == nil {
                add(column, as: field, of: group)
            }
        }
    }

    /// Reads columns of which a part of the name is known, such as `City *(required)`, if nothing else gives the field.
    private mutating func readParts() {
        guard addresses.isEmpty || addresses.contains(where: { $0.group == .only }) else { return }
        for column in header.indices where !taken.contains(column) {
            guard let field = HeadingParts.field(of: name(of: column), isLoose: true), field.isPlace,
                addresses.first(where: { $0.group == .only })?.columns[field] == nil
            else { continue }
            add(column, as: field, of: .only)
        }
    }

    /// True if the header has the content of the rows, so that it is a row too. For columns that were guessed.
    func isHeaderRow(likeThose rows: [[String]]) -> Bool {
        guard !rows.isEmpty, addresses.count == 1, let columns = addresses.first?.columns else { return false }
        return columns.allSatisfy { field, columns in
            columns.allSatisfy { ColumnContent.field(of: header[$0]) == field }
        }
    }

    mutating func add(_ column: Int, as field: ContactField, of group: AddressGroup) {
        guard mapping?.overrules(field, of: group.key) != true else { return }
        insert(column, as: field, of: group)
    }

    mutating func insert(_ column: Int, as field: ContactField, of group: AddressGroup) {
        taken.insert(column)
        guard field.isOfAddress else {
            contact[field, default: []].append(column)
            return
        }
        let place = addresses.firstIndex { $0.group.key == group.key } ?? addresses.endIndex
        if place == addresses.endIndex { addresses.append(AddressColumns(group: group)) }
        var columns = addresses[place].columns[field, default: []]
        // The better name comes first: a town before its municipality. The lines of a street keep their order.
        let rank = ColumnWords.rank(of: keys[column], as: field)
        let position =
            columns.firstIndex { field != .street2 && ColumnWords.rank(of: keys[$0], as: field) > rank }
            ?? columns.endIndex
        columns.insert(column, at: mapping?.names(header[column]) == true ? 0 : position)
        addresses[place].columns[field] = columns
    }

    private mutating func removeAddresses(where isWrong: (AddressColumns) -> Bool) {
        for address in addresses where isWrong(address) { taken.subtract(address.columns.values.joined()) }
        addresses.removeAll(where: isWrong)
    }

    /// A country that stands alone next to several addresses is that of each.
    private mutating func shareCountry() {
        guard addresses.count > 1, let place = addresses.firstIndex(where: { $0.group == .only }),
            let country = addresses[place].columns[.country], Set(addresses[place].columns.keys) == [.country]
        else { return }
        addresses.remove(at: place)
        for index in addresses.indices where addresses[index].columns[.country] == nil {
            addresses[index].columns[.country] = country
        }
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
