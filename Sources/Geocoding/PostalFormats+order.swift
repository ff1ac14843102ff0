/// The order of parts, read from the same table, so that printing and reading of addresses agree about a country.
extension PostalFormats {
    /// The countries that write the house number before the street, in Latin letters: London, and not Helsinki.
    static let numberFirst = countries(where: .number, precedes: .street, inColumn: 1)

    /// The countries that write the postcode before the city: `00100 Helsinki`, and not `London SW1A 2AA`.
    static let postcodeFirst = countries(where: .postcode, precedes: .city, inColumn: 2)

    private static func countries(
        where first: PostalField, precedes second: PostalField, inColumn column: Int
    ) -> Set<String> {
        var countries: Set<String> = []
        for line in table.split(separator: "\n") {
            let columns: [Substring] = line.split(separator: "|")
            let fields = columns[column].compactMap { PostalField($0) }
            guard let one = fields.firstIndex(of: first), let other = fields.firstIndex(of: second) else { continue }
            if one < other { countries.insert(String(columns[0])) }
        }
        return countries
    }
}
