/// A postcode, to compare with another spelling of it.
struct PostcodeKey {
    let text: String

    /// Without spaces, hyphens and the sign of its country: `D-80331`, `SW1A 1AA`.
    init(_ postcode: String, in country: Country?) {
        let text = Folding.loose(postcode).filter { $0 != " " }
        let letters = text.prefix { !$0.isNumber }
        let rest = text.dropFirst(letters.count)
        let signs = [country?.code.lowercased(), country.flatMap { Self.carSigns[$0.code] }]
        let hasSign = !rest.isEmpty && rest.allSatisfy(\.isNumber) && signs.contains(String(letters))
        self.text = hasSign ? String(rest) : text
    }

    /// A part of a postcode is an area around it: outward codes, the first half of a Dutch one. The last four
    /// digits of a ZIP code name a side of the street.
    func match(_ other: Self) -> Match {
        if text == other.text || zip != nil && zip == other.zip { return .same }
        let isPart = text.hasPrefix(other.text) || other.text.hasPrefix(text)
        return isPart && min(text.count, other.text.count) >= 2 ? .similar : .different
    }

    /// The first five of nine digits, or all five.
    private var zip: Substring? {
        text.allSatisfy(\.isNumber) && [5, 9].contains(text.count) ? text.prefix(5) : nil
    }

    /// The letters on cars, where they are not the country's code.
    private static let carSigns = [
        "AT": "a", "BE": "b", "DE": "d", "ES": "e", "FI": "fin", "FR": "f", "IT": "i", "LI": "fl", "LU": "l", "NO": "n",
        "PT": "p",
        "SE": "s", "SI": "slo",
    ]
}
