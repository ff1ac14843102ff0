/// How a country writes its addresses on letters.
public struct PostalFormat: Sendable {
    private let country: Country?
    private let row: PostalFormats.Row

    /// The format of `country`, or a common one where none is known.
    public init(country: Country?) {
        self.country = country
        row = country.flatMap { PostalFormats.rows[$0.code] } ?? PostalFormats.common
    }

    /// The lines of a letter sent from `origin`. The country is the last of them, unless the letter stays in it.
    public func format(_ address: Address, from origin: Country? = nil) -> [String] {
        var fields: [Character: String] = [:]
        fields["s"] = address.street
        fields["c"] = address.city
        fields["r"] = address.region
        fields["p"] = address.postcode
        return lines(of: fields, areCapitals: true) + countryLine(address.country, from: origin)
    }

    /// The lines of a letter sent from `origin`. The country is the last of them, unless the letter stays in it.
    public func format(_ placemark: Placemark, from origin: Country? = nil) -> [String] {
        lines(of: placemark, areCapitals: true) + countryLine(placemark.country ?? "", from: origin)
    }

    /// The lines without the country.
    func lines(of placemark: Placemark, areCapitals: Bool) -> [String] {
        var fields: [Character: String] = [:]
        fields["s"] = placemark.street
        fields["d"] = placemark.subLocality
        fields["c"] = placemark.locality
        fields["r"] = placemark.administrativeArea
        fields["p"] = placemark.postalCode
        return lines(of: fields, areCapitals: areCapitals)
    }

    private func countryLine(_ name: String, from origin: Country?) -> [String] {
        if let country { return country == origin ? [] : [country.name.uppercased()] }
        let name = name.trimmed
        return name.isEmpty ? [] : [name.uppercased()]
    }
}

extension PostalFormat {
    private func lines(of fields: [Character: String], areCapitals: Bool) -> [String] {
        var fields = fields.mapValues(\.trimmed).filter { !$0.value.isEmpty }
        if fields["c"] == nil { fields["c"] = fields.removeValue(forKey: "d") }
        let (city, region) = (fields["c"] ?? "", fields["r"] ?? "")
        // `28013 Madrid Madrid` says no more.
        if Folding.loose(region) == Folding.loose(city) { fields["r"] = nil }
        if Folding.loose(fields["d"] ?? "") == Folding.loose(city) { fields["d"] = nil }
        if let country, let code = Region.code(folded: Array(Folding.canonical(region).utf8)[...], in: country) {
            fields["r"] = String(decoding: code, as: UTF8.self).uppercased()
        }
        let isNative = fields.values.contains { $0.unicodeScalars.contains(where: Self.isEastAsian) }
        let templates = isNative ? row.native ?? row.lines : row.lines
        return templates.flatMap { line($0, fields, areCapitals: areCapitals) }
    }

    /// One line, or all those of the street, or none. What separates a blank field from the one before it goes too.
    private func line(_ template: Substring, _ fields: [Character: String], areCapitals: Bool) -> [String] {
        var line = ""
        var separator = ""
        var isFirst = true
        for character in template {
            guard PostalFormats.fields.contains(character.lowercased()) else {
                separator.append(character)
                continue
            }
            let text = fields[Character(character.lowercased())] ?? ""
            // A sign at the start of a line belongs to its first field, and goes with it.
            if !text.isEmpty {
                line += line.isEmpty && !isFirst ? "" : separator
                line += areCapitals && character.isUppercase ? text.uppercased() : text
            }
            separator = ""
            isFirst = false
        }
        return line.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty }
    }

    /// Ideographs, kana and Hangul.
    private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100..<0x1200, 0x3040..<0x3100, 0x3400..<0xA000, 0xAC00..<0xD7A4: true
        default: false
        }
    }
}

extension String {
    /// Without white space, and commas that separate nothing, at its ends.
    var trimmed: String {
        let isBlank = { (character: Character) in character.isWhitespace || character == "," }
        let start = drop(while: isBlank)
        return String(start.dropLast(start.reversed().prefix(while: isBlank).count))
    }
}
