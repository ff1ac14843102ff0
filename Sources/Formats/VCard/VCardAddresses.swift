import Geocoding

/// The addresses of a card, combined with other lines about them.
struct VCardAddresses {
    /// In the order of the card. `properties` has the property of each address at the same index.
    private(set) var found: [LabelledAddress] = []
    private(set) var properties: [VCardProperty] = []
    /// Notes on the parts that were left out.
    private(set) var notes: [String] = []

    private var all: [VCardAddress] = []

    init(of card: VCardCard, _ options: ReadingOptions) throws(UnusableContact) {
        for property in card.all("ADR") { all.append(try VCardAddress(property, options.encoding)) }
        try readLabels(of: card, options.encoding)
        readPositions(of: card, options.encoding)
        for place in all.indices {
            try name(place, of: card, options.encoding)
            keep(all[place], country: options.country)
        }
    }

    /// Reads LABEL of versions before 4.0: an address as printed text, used if ADR is missing or empty.
    private mutating func readLabels(of card: VCardCard, _ encoding: TextEncoding) throws(UnusableContact) {
        for property in card.all("LABEL") {
            let text = try property.checked(VCardText.unescaped(try property.text(encoding)).tidied)
            guard !text.isEmpty else { continue }
            let label = VCardAddress(label: property, text)
            let place = all.firstIndex {
                label.group.isEmpty ? $0.kinds == label.kinds : $0.group == label.group
            }
            if let place {
                if !all[place].address.hasPlace { all[place].address = label.address }
            } else {
                all.append(label)
            }
        }
    }

    private mutating func readPositions(of card: VCardCard, _ encoding: TextEncoding) {
        for place in all.indices {
            guard let text = all[place].property.parameter("GEO", encoding) else { continue }
            // An answer of a provider must not become a pin because it was exported and imported again.
            if let provider = all[place].property.parameter("X-WAYPOST-PROVIDER", encoding), provider != "contact" {
                continue
            }
            all[place].position = position(text, of: "the GEO of its ADR", card)
        }
        for property in card.all("GEO") {
            let text = String(decoding: property.value, as: UTF8.self)
            guard let position = position(text, of: "its GEO", card) else { continue }
            if let place = owner(of: property) {
                all[place].position = all[place].position ?? position
            } else {
                notes.append(
                    all.isEmpty ? "its GEO has no address" : "its GEO does not say to which address it belongs")
            }
        }
    }

    private mutating func position(_ text: String, of property: String, _ card: VCardCard) -> Coordinate? {
        guard let position = VCardPosition.coordinate(text, version: card.version) else {
            notes.append("\(property) is not a coordinate")
            return nil
        }
        guard position.isNullIsland else { return position }
        notes.append("\(property) is 0, 0, which means unknown")
        return nil
    }

    /// The address in the same group, else the only one, else the one of the same type, else the preferred one.
    private func owner(of property: VCardProperty) -> Int? {
        if !property.name.group.isEmpty, let place = all.firstIndex(where: { $0.group == property.name.group }) {
            return place
        }
        if all.count == 1 { return 0 }
        if let place = all.firstIndex(where: { !$0.kinds.isEmpty && $0.kinds.isSubset(of: property.types) }) {
            return place
        }
        let preferred = all.indices.filter { all[$0].preference != nil }
        return preferred.min { (all[$0].preference ?? 0) < (all[$1].preference ?? 0) }
    }

    /// Apple puts labels into a line of the same group, `item1.X-ABLabel:_$!<HomePage>!$_`.
    private mutating func name(
        _ place: Int, of card: VCardCard, _ encoding: TextEncoding
    ) throws(UnusableContact) {
        let group = all[place].group
        let line = group.isEmpty ? nil : card.all("X-ABLABEL").first { $0.name.group == group }
        guard let line else {
            all[place].label = try all[place].property.checked(all[place].typeLabel)
            return
        }
        var label = try line.checked(VCardText.unescaped(try line.text(encoding)).tidied)
        if label.hasPrefix("_$!<"), label.hasSuffix(">!$_"), label.count >= 8 {
            label = String(label.dropFirst(4).dropLast(4)).lowercased()
        }
        all[place].label = label
    }

    private mutating func keep(_ entry: VCardAddress, country: String) {
        var address = entry.address
        guard !address.isEmpty else {
            // Many programs write an ADR that has only semicolons.
            if entry.position != nil { notes.append("its GEO has no address") }
            return
        }
        if address.country.isEmpty { address.country = country }
        guard address.hasPlace else {
            notes.append("an address is left out: it has no street, no city and no country")
            return
        }
        found.append(LabelledAddress(label: entry.label, address: address, position: entry.position))
        properties.append(entry.property)
    }
}
