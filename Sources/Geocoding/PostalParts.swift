/// The parts of an address on an envelope. The raw values are the letters in `postal-formats.txt`.
enum PostalField: Character, CaseIterable {
    case street = "s"
    case number = "#"
    case district = "d"
    case city = "c"
    case region = "r"
    case postcode = "p"

    /// Accepts upper and lower case.
    init?(_ letter: Character) {
        guard let field = Self(rawValue: Character(letter.lowercased())) else { return nil }
        self = field
    }
}

/// The parts of an address, cleaned for printing: no blank parts, no stray commas or spaces.
struct PostalParts {
    /// The place's own name, if it has one that is not part of its address.
    var name: String?
    private var fields: [PostalField: [String]] = [:]

    /// The lines of a part. Only the street has several.
    subscript(field: PostalField) -> [String] {
        get { fields[field, default: []] }
        set { fields[field] = newValue }
    }

    init(_ address: Address, in country: Country?) {
        self[.street] = Self.lines(address.street)
        self[.city] = Self.line(address.city)
        self[.postcode] = Self.line(address.postcode).map { PostalPostcode.printed($0, in: country) }
        set(region: address.region, in: country)
    }

    init(_ placemark: Placemark, in country: Country?) {
        self[.street] = Self.lines(placemark.thoroughfare ?? "")
        self[.number] = Self.line(placemark.subThoroughfare ?? "")
        self[.district] = Self.line(placemark.subLocality ?? "")
        self[.city] = Self.line(placemark.locality ?? "")
        self[.postcode] = Self.line(placemark.postalCode ?? "").map { PostalPostcode.printed($0, in: country) }
        setRegion(of: placemark, in: country)
        name = Self.line(placemark.properName ?? "").first
    }

    /// Sets the region that the post prints, even if the provider returns a region, a county or nothing.
    private mutating func setRegion(of placemark: Placemark, in country: Country?) {
        let region = placemark.administrativeArea
        if let country, PostalRegion.territories.contains(country.code) { return set(region: "", in: country) }
        if let country {
            let names = [region, placemark.subAdministrativeArea, placemark.locality]
            let printed = names.compactMap { PostalRegion.printed([$0], in: country) }
            if let first = printed.first(where: { !$0.isEmpty }) ?? printed.first {
                self[.region] = Self.line(first)
                return
            }
        }
        set(region: region ?? "", in: country)
    }

    /// Sets the region's code in countries whose posts want it. Sets none if the region only repeats the city.
    private mutating func set(region: String, in country: Country?) {
        if let country, PostalRegion.territories.contains(country.code) {
            let isNamed = !region.isEmpty && Country(region) != country
            // A part of the territory does not belong to its addresses.
            self[.region] = isNamed ? Self.line(region) : []
            if !isNamed, !(self[.city] + self[.postcode]).isEmpty { self[.region] = [country.code] }
            return
        }
        if let country, let printed = PostalRegion.printed([region], in: country) {
            self[.region] = Self.line(printed)
            return
        }
        guard let name = Self.line(region).first else { return }
        let folded = Array(Folding.canonical(name).utf8)
        if let country, let code = Region.code(folded: folded[...], in: country) {
            self[.region] = [String(decoding: code, as: UTF8.self).uppercased()]
        } else if Folding.canonical(self[.city].first ?? "") != Folding.canonical(name) {
            self[.region] = [name]
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap(line)
    }

    /// Returns the text on one line, or nothing if it is only punctuation.
    static func line(_ text: some StringProtocol) -> [String] {
        if isLine(text.utf8) { return [String(text)] }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.contains(where: { $0.isLetter || $0.isNumber }) else { return [] }
        var line = words.drop(while: isStray)
        while let last = line.last, isStray(last) { line.removeLast() }
        return [String(line)]
    }

    /// True if a text is certainly such a line already, as nearly all are.
    private static func isLine(_ utf8: some Sequence<UInt8>) -> Bool {
        var last: UInt8?
        for byte in utf8 {
            switch byte {
            // A character that begins with one of these bytes may be a kind of space.
            case 0..<0x20, 0x7F, 0xC2, 0xE1...0xE3: return false
            case UInt8(ascii: " ") where last == byte: return false
            default: if last == nil, !isLetterOrDigit(byte) { return false }
            }
            last = byte
        }
        return last.map { $0 > 0x7F || isLetterOrDigit($0) } ?? false
    }

    private static func isStray(_ character: Character) -> Bool {
        character == "," || character == ";" || character == " "
    }
}

extension PostalParts {
    /// True if `name` is one of the parts.
    func says(_ name: String) -> Bool {
        let name = Folding.loose(name)
        return fields.values.joined().contains { Folding.loose($0) == name }
    }

    /// True if there are any Chinese, Japanese or Korean letters.
    var isEastern: Bool {
        fields.values.joined().contains { $0.unicodeScalars.contains(where: Self.isEastern) }
    }

    private static func isEastern(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
