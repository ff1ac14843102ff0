extension ContactColumns {
    /// Leaves columns out that belong to another table next to this one, and finds the second address of a row.
    ///
    /// A name of the contact that comes twice begins another table. So does a blank column before a country or a
    /// postcode alone. A part of an address that comes twice begins a second address.
    mutating func separateTables() {
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

    mutating func leaveOut(_ columns: Range<Int>, _ reason: String) {
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
}
