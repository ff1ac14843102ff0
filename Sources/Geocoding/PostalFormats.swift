import CWords

/// The address formats of the countries of the world. Printing and reading of addresses agree about a country, because
/// both use this table.
enum PostalFormats {
    /// For the countries not listed.
    static let usual: [Substring] = ["s #", "s; p c; r"]

    /// By country: the order of street and house number, and the lines of the address.
    static let table: [String: [Substring]] = Dictionary(
        uniqueKeysWithValues: words_postal_formats().rows.map { (String($0[0]), Array($0.dropFirst())) })

    /// The countries that write the house number before the street, in Latin letters: London, and not Helsinki.
    static let numberFirst = countries(where: .number, precedes: .street, inColumn: 0)

    /// The countries that write the postcode before the city: `00100 Helsinki`, and not `London SW1A 2AA`.
    static let postcodeFirst = countries(where: .postcode, precedes: .city, inColumn: 1)

    private static func countries(
        where first: PostalField, precedes second: PostalField, inColumn column: Int
    ) -> Set<String> {
        Set(
            table.filter { _, columns in
                let fields = columns[column].compactMap { PostalField($0) }
                guard let one = fields.firstIndex(of: first), let other = fields.firstIndex(of: second) else {
                    return false
                }
                return one < other
            }.keys)
    }
}
