import Geocoding

extension ContactRow {
    /// The addresses of a row, and notes on what was left out.
    struct Addresses {
        var found: [LabelledAddress] = []
        /// For each address, the index of its group in the header.
        var groups: [Int] = []
        var notes: [String] = []
    }

    /// The addresses with any content, in the order of their columns. `country` is the default for an empty country.
    func addresses(country: String) throws(UnusableContact) -> Addresses {
        var addresses = Addresses()
        for (index, group) in columns.addresses.enumerated() {
            for value in 0..<count(of: group.columns) {
                try add(group, value: value, country: country, to: &addresses)
                while addresses.groups.count < addresses.found.count { addresses.groups.append(index) }
            }
        }
        return addresses
    }

    private func add(
        _ group: AddressColumns, value: Int, country: String, to addresses: inout Addresses
    ) throws(UnusableContact) {
        var address = try address(in: group.columns, value: value, country: country)
        if OtherRows.isDate(try text(.houseNumber, in: group.columns, value: value)) {
            addresses.notes.append(
                "a house number is left out: it is a date, which a spreadsheet makes of a number such as 3-5")
        }
        let position = try position(in: group.columns, value: value)
        guard !address.isEmpty else {
            if position != nil { addresses.notes.append("a position without an address is left out") }
            return
        }
        if address.country.isEmpty { address.country = country }
        guard address.hasPlace else {
            addresses.notes.append("an address is left out: it has no street, no city and no country")
            return
        }
        switch position {
        case .unreadable: addresses.notes.append("a position is left out: it is not a coordinate")
        case .unknown: addresses.notes.append("a position is left out: it is 0, 0, which means unknown")
        case .known, nil: break
        }
        var label = try text(.label, in: group.columns, value: value)[...]
        // Google marks the first of several addresses with a star.
        if !self.columns.isExport { label = label.drop { $0 == "*" || $0 == " " } }
        addresses.found.append(
            LabelledAddress(
                label: label.isEmpty ? group.group.label : String(label), address: address,
                position: position?.coordinate))
    }

    /// How many addresses the columns of one address contain: the largest number of values in a field.
    private func count(of columns: [ContactField: [Int]]) -> Int {
        var count = 1
        guard !self.columns.isExport else { return count }
        for (field, columns) in columns where field.isPlace {
            for column in columns where column < fields.count { count = max(count, fields[column].valueCount) }
        }
        // No contact has more than 20. A million colons must not make a million addresses.
        return min(count, 20)
    }

    private func address(
        in columns: [ContactField: [Int]], value: Int, country: String
    ) throws(UnusableContact) -> Address {
        let number = try text(.houseNumber, in: columns, value: value)
        let street = try [text(.street, in: columns, value: value), OtherRows.isDate(number) ? "" : number]
            .filter { !$0.isEmpty }.joined(separator: " ")
        let more = try (lines(.street2, in: columns, value: value) + [text(.poBox, in: columns, value: value)])
            .filter { !$0.isEmpty }.joined(separator: "\n")
        var address = Address(
            street: street.isEmpty || more.isEmpty ? street + more : "\(street)\n\(more)",
            city: try text(.city, in: columns, value: value), region: try text(.region, in: columns, value: value),
            postcode: try text(.postcode, in: columns, value: value),
            country: try text(.country, in: columns, value: value))
        // A row of our own export is used unchanged.
        guard !self.columns.isExport else { return address }
        guard readsLines else {
            if address.street.isEmpty, address.city.isEmpty {
                address.street = try join([.formatted, .postcodeCity], in: columns, value: value, by: " ")
            }
            return address
        }
        let locality = try text(.postcodeCity, in: columns, value: value)
        if !locality.isEmpty, address.city.isEmpty { address.readLocality(locality, likelyCountry: country) }
        let line = try text(.formatted, in: columns, value: value)
        guard address.street.isEmpty, address.city.isEmpty else {
            if !line.isEmpty { address.fill(from: line, likelyCountry: country) }
            let isAlone = columns[.city] == nil && columns[.postcode] == nil
            return address.splittingStreet(isAlone: isAlone, likelyCountry: country)
                .splittingLines(hasTown: columns[.city] != nil || columns[.postcodeCity] != nil, likelyCountry: country)
        }
        return line.isEmpty ? address : Address(line: line, beside: address, likelyCountry: country)
    }

    private enum Position {
        case known(Coordinate)
        case unreadable
        /// Latitude and longitude 0, which means unknown.
        case unknown

        init(_ coordinate: Coordinate?) {
            self = coordinate.map { $0.isNullIsland ? .unknown : .known($0) } ?? .unreadable
        }

        var coordinate: Coordinate? { if case .known(let coordinate) = self { coordinate } else { nil } }
    }

    /// Nil if the columns are empty.
    private func position(in columns: [ContactField: [Int]], value: Int) throws(UnusableContact) -> Position? {
        // Most files have no positions, and this check saves time.
        guard columns[.latitude] != nil || columns[.longitude] != nil || columns[.geo] != nil else { return nil }
        let latitude = try text(.latitude, in: columns, value: value)
        let longitude = try text(.longitude, in: columns, value: value)
        let pair = try text(.geo, in: columns, value: value)
        guard !latitude.isEmpty || !longitude.isEmpty || !pair.isEmpty else { return nil }
        // A row with a provider comes from Waypost: its position is an answer, not the contact's own.
        let provider = try text(.provider, in: columns, value: value)
        guard provider.isEmpty || provider == "contact" else { return nil }
        if latitude.isEmpty, longitude.isEmpty {
            return Position(VCardPosition.coordinate(pair, version: "4.0"))
        }
        guard let latitude = Self.degrees(latitude), let longitude = Self.degrees(longitude) else { return .unreadable }
        return Position(Coordinate(latitude: latitude, longitude: longitude))
    }

    /// Also accepts a decimal comma, which half of Europe writes.
    private static func degrees(_ text: String) -> Double? { Double(text) ?? Double(text.replacing(",", with: ".")) }
}
