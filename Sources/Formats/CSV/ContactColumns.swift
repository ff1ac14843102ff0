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
    let head: TableHead

    /// The columns whose names are not read, for a reason other than that they are unknown.
    private(set) var leftOut: [(columns: Range<Int>, reason: String)] = []
    /// True if no name is known, so the content of the columns was read.
    private(set) var isGuessed = false
    private let mapping: ColumnMapping?
    let keys: [String]
    /// For each column the address to which it belongs by its place in the table.
    private var places: [AddressGroup]
    /// The columns that have a meaning, or can't have one.
    private var taken: Set<Int> = []

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

    private func name(of column: Int) -> String { String(header[column].prefix(Self.longestName)) }

    private func content(of column: Int) -> ContactField? { ColumnContent.field(of: head.cells(of: column)) }

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

    private mutating func add(_ column: Int, as field: ContactField, of group: AddressGroup) {
        guard mapping?.overrules(field, of: group.key) != true else { return }
        insert(column, as: field, of: group)
    }

    private mutating func insert(_ column: Int, as field: ContactField, of group: AddressGroup) {
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

extension ContactColumns {
    /// Leaves columns out that belong to another table next to this one, and finds the second address of a row.
    ///
    /// A name of the contact that comes twice begins another table. So does a blank column before a country or a
    /// postcode alone. A part of an address that comes twice begins a second address.
    private mutating func separateTables() {
        let fields = header.indices.map { taken.contains($0) ? nil : field(of: $0) }
        func hasAddress(_ columns: Range<Int>) -> Bool { columns.contains { fields[$0]?.isAddressAlone == true } }
        let names: Set<ContactField> = [.id, .name, .given, .family, .organisation]
        let firstAddress = fields.firstIndex { $0?.isAddressAlone == true } ?? header.endIndex
        let lastAddress = fields.lastIndex { $0?.isAddressAlone == true } ?? 0
        var seen: Set<String> = []
        for column in header.indices where fields[column].map(names.contains) == true {
            let isBehindBlank = column > 0 && head.below != nil && keys[column - 1].isEmpty && head.isBlank(column - 1)
            let isOther = isBehindBlank && !seen.isEmpty
            guard !seen.insert(keys[column]).inserted || isOther, firstAddress < column, lastAddress > column else {
                continue
            }
            leaveOut(
                column..<header.count, "a second table; a file or a sheet of its own, or rows below the first, are read"
            )
            break
        }
        let sections = sections
        for (number, section) in sections.enumerated().dropFirst() where sections.count == 2 {
            if hasAddress(section) {
                for column in section { places[column] = AddressGroup(key: "\(number + 1)", label: "") }
            } else if hasAddress(sections[0]) {
                for column in section where fields[column]?.isPlace == true && !taken.contains(column) {
                    let name = [header[column]].shown
                    leaveOut(
                        column..<(column + 1),
                        "a blank column separates it; a --mapping with \(fields[column].map { "\($0)" } ?? "") = \(name) reads it"
                    )
                }
            }
        }
        nameRepeated(fields)
    }

    /// The field that a name means alone.
    private func field(of column: Int) -> ContactField? {
        ContactField(key: keys[column]) ?? HeadingParts.field(of: name(of: column))
    }

    /// The columns between blank columns. A table with a blank column behind each other one is one section.
    private var sections: [Range<Int>] {
        guard head.below?.isEmpty == false else { return [header.indices] }
        var sections: [Range<Int>] = []
        for column in header.indices where !keys[column].isEmpty || !head.isBlank(column) {
            if let last = sections.last, last.upperBound == column {
                sections[sections.count - 1] = last.lowerBound..<(column + 1)
            } else {
                sections.append(column..<(column + 1))
            }
        }
        return sections
    }

    private mutating func leaveOut(_ columns: Range<Int>, _ reason: String) {
        taken.formUnion(columns)
        leftOut.append((columns, reason))
    }

    /// Names that come twice belong to several addresses: those of the groups above the header, or the first, the second.
    private mutating func nameRepeated(_ fields: [ContactField?]) {
        var counts: [String: Int] = [:]
        var repeats: [Int: Int] = [:]
        for (column, field) in fields.enumerated() where field?.isOfAddress == true && !taken.contains(column) {
            counts[keys[column], default: 0] += 1
            repeats[column] = counts[keys[column]]
        }
        guard repeats.values.contains(where: { $0 > 1 }) else { return }
        let groups = head.groups(of: header)
        for (column, number) in repeats where places[column] == .only {
            if groups.isEmpty {
                if number > 1 { places[column] = AddressGroup(key: "\(number)", label: "") }
            } else if !groups[column].isEmpty {
                places[column] = AddressGroup(heading: groups[column])
            }
        }
    }

    private mutating func readContent() {
        var found = header.indices.filter { !taken.contains($0) }.compactMap { column in
            content(of: column).flatMap { $0.isPlace ? (column: column, field: $0) : nil }
        }
        // Many names are also towns. They are not the town next to a better column: one with postcodes too, or a town
        // directly next to a street or a postcode.
        let towns = found.filter { $0.field == .city }
        if found.contains(where: { [.postcodeCity, .formatted].contains($0.field) }) {
            found.removeAll { $0.field == .city }
        } else if towns.count > 1 {
            let others = found.filter { $0.field != .city }.map(\.column)
            let nearest = towns.min { one, other in
                distance(one.column, others) < distance(other.column, others)
            }
            found.removeAll { $0.field == .city && $0.column != nearest?.column }
        }
        for (column, field) in found where addresses.first?.columns[field] == nil { add(column, as: field, of: .only) }
        // A country or a postcode alone may be anything.
        let isAddress = addresses.contains { !$0.columns.keys.allSatisfy { [.country, .postcode].contains($0) } }
        if !isAddress { addresses = [] }
    }

    private func distance(_ column: Int, _ others: [Int]) -> Int {
        // Of two equally near columns the later one is the town: names come first.
        2 * (others.map { abs($0 - column) }.min() ?? 0) * header.count + header.count - column
    }

    /// Corrects names by what the cells contain: a town's column of whole lines, further lines that are whole addresses,
    /// and sizes that are coordinates.
    private mutating func correctByContent() {
        guard head.below?.isEmpty == false, !isExport else { return }
        for index in addresses.indices {
            for field in [ContactField.city, .postcodeCity, .postcode, .street2] {
                for column in addresses[index].columns[field] ?? [] where mapping?.names(header[column]) != true {
                    correct(column, field, index)
                }
            }
        }
        for (keys, field) in [(ColumnWords.widths, ContactField.latitude), (ColumnWords.lengths, .longitude)] {
            let column = header.indices.first { !taken.contains($0) && keys.contains(self.keys[$0]) }
            guard let column, ColumnContent.areDegrees(head.cells(of: column)) else { continue }
            if let address = addresses.first { add(column, as: field, of: address.group) }
        }
    }

    /// Reads the only column whose cells are streets, if an address has a town and no column is named a street.
    private mutating func readStreet() {
        guard head.below?.isEmpty == false, !isExport, addresses.count == 1, let address = addresses.first,
            address.columns[.city] ?? address.columns[.postcodeCity] != nil,
            [.street, .street2, .houseNumber, .formatted].allSatisfy({ address.columns[$0] == nil })
        else { return }
        let streets = header.indices.filter { !taken.contains($0) && ColumnContent.areStreets(head.cells(of: $0)) }
        if let street = streets.first, streets.count == 1 { add(street, as: .street, of: address.group) }
    }

    private mutating func correct(_ column: Int, _ field: ContactField, _ index: Int) {
        let cells = head.cells(of: column)
        guard ColumnContent.haveDigits(cells) else { return }
        let found = ColumnContent.field(of: cells)
        let columns = addresses[index].columns
        let isOnlyTown = columns[.city] == nil && columns[.postcodeCity] == nil
        switch (field, found) {
        case (.street2, .formatted?):
            let number = ContactField.numbered(keys[column])?.number
            move(
                column, from: field, index, to: .formatted,
                number.map { AddressGroup(key: "\($0)", label: "") } ?? AddressGroup(heading: header[column]))
        case (.city, .formatted?), (.postcodeCity, .formatted?):
            guard ColumnContent.areLines(cells) else { return }
            move(column, from: field, index, to: .formatted, addresses[index].group)
        case (.city, .postcodeCity?): move(column, from: field, index, to: .postcodeCity, addresses[index].group)
        case (.postcode, .postcodeCity?) where isOnlyTown:
            move(column, from: field, index, to: .postcodeCity, addresses[index].group)
        default: break
        }
    }

    private mutating func move(
        _ column: Int, from field: ContactField, _ index: Int, to other: ContactField, _ group: AddressGroup
    ) {
        addresses[index].columns[field]?.removeAll { $0 == column }
        if addresses[index].columns[field]?.isEmpty == true { addresses[index].columns[field] = nil }
        insert(column, as: other, of: group)
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
    /// True if the name of a column is known.
    let hasName: Bool

    /// True if the first line looks like an address: it may be a contact, which is private, and not a header. Many a word
    /// is also the name of a small town.
    private var isContact: Bool {
        let fields = header.compactMap { ColumnContent.field(of: $0) }
        return !hasName && (fields.contains { $0 != .city } || fields.count > 1)
    }

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
