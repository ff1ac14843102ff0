extension ContactColumns {
    /// Guesses the columns of an address whose names are unknown.
    mutating func readContent() {
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
    mutating func correctByContent() {
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
    mutating func readStreet() {
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
