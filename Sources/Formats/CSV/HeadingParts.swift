import Geocoding

/// Reads a heading by its parts: `Kota/Kab`, `Stadt (City)`, `Address (street, city, state, zip)`.
enum HeadingParts {
    private static let separators = Set<Character>("/|,;()[]{}・、／（）•+&:\n\r")
    private static let fillers: Set<String> = [
        "and", "or", "of", "the", "full", "complete", "incl", "with", "und", "oder", "mit", "et", "ou", "de", "du",
        "del",
        "y", "o", "e", "con", "och", "og", "ja", "en", "i", "oraz", "a", "ve", "și", "и",
    ].reduce(into: []) { $0.insert(ContactField.key($1)) }
    private static let names: Set<ContactField> = [.name, .given, .middle, .family, .nickname, .organisation]
    private static let lines: Set<ContactField> = [.street, .houseNumber, .street2, .poBox, .formatted]
    private static let towns: Set<ContactField> = [.city, .postcode, .postcodeCity, .region, .country]

    /// The field of a heading of several known parts, or of several known words. With `isLoose` the first part is
    /// enough: `City (or nearest village)`.
    static func field(of heading: String, isLoose: Bool = false) -> ContactField? {
        let parts = heading.split { separators.contains($0) }.map(String.init).filter { !ContactField.key($0).isEmpty }
        let known = parts.prefix(8).map(fields)
        guard let first = known.first else { return nil }
        if parts.count > 1 {
            if known.allSatisfy({ !$0.isEmpty }) { return combined(known.flatMap(\.self)) }
            return isLoose ? combined(first) : nil
        }
        // `Street Address City` is the town of an address.
        if first.count == 2, lines.contains(first[0]), towns.contains(first[1]) { return nil }
        return first.count > 1 ? combined(first) : nil
    }

    /// The fields of a part: of its whole name, or of all its words.
    private static func fields(of part: String) -> [ContactField] {
        if let field = ContactField(header: part) { return [field] }
        let words = part.split { $0 == " " || $0 == "_" || $0 == "-" }.map { ContactField.key(String($0)) }
            .filter { !$0.isEmpty && !fillers.contains($0) }
        return words.count < 10 ? fields(of: words[...]) ?? [] : []
    }

    /// Nil if a word is unknown. The longest names come first.
    private static func fields(of words: ArraySlice<String>) -> [ContactField]? {
        guard !words.isEmpty else { return [] }
        for length in stride(from: words.count, through: 1, by: -1) {
            // Two letters are also abbreviations of other things.
            let key = words.prefix(length).joined()
            guard key.utf8.count > 2, let field = ContactField(key: key),
                let rest = fields(of: words.dropFirst(length))
            else { continue }
            return [field] + rest
        }
        return nil
    }

    private static func combined(_ fields: [ContactField]) -> ContactField? {
        let all = Set(fields)
        if all.count < 2 { return fields.first }
        if all.isSubset(of: names) { return .name }
        if all.isSubset(of: [.latitude, .longitude, .geo]) { return .geo }
        guard all.isSubset(of: lines.union(towns)) else { return nil }
        guard all.isDisjoint(with: lines) else {
            if !all.isDisjoint(with: towns) || all.contains(.formatted) { return .formatted }
            return all.contains(.street) ? .street : all.contains(.houseNumber) ? .houseNumber : fields.first
        }
        return all.isDisjoint(with: [.city, .postcodeCity]) ? nil : .postcodeCity
    }
}
