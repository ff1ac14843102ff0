/// A postcode in the form for comparison: without spaces and hyphens, without its country's sign, and without a word
/// for "postcode". `D-80331` is `80331`, `PL 00-950` `00950`, `SW1A 1AA` `sw1a1aa`.
///
/// This is the only place of this rule: hashes, grades and the gazetteer use it.
package struct PostcodeKey: Hashable, Sendable {
    package let text: String
    private let country: String?

    package init(_ postcode: String, in country: Country?) {
        self.init(postcode, in: country?.code)
    }

    /// In the country with this code, if any.
    package init(_ postcode: String, in country: String?) {
        var postcode = postcode
        self = postcode.withUTF8 { Self($0, in: country) }
    }

    package init(_ postcode: UnsafeBufferPointer<UInt8>, in country: String?) {
        var utf8: [UInt8] = []
        Folding.loose(postcode, into: &utf8)
        Self.strip(&utf8, from: 0, in: country)
        text = String(decoding: utf8, as: UTF8.self)
        self.country = country
    }

    /// The postcode with the leading zeros that a spreadsheet removed.
    package var padded: String {
        guard let country, let length = Self.lengths[country], text.utf8.count < length,
            text.utf8.count + 2 >= length, text.utf8.allSatisfy(isDigit)
        else { return text }
        return String(repeating: "0", count: length - text.utf8.count) + text
    }

    /// A prefix of a postcode is an area around it: outward codes, the first half of a Dutch one. The last four digits
    /// of a ZIP code identify a side of the street.
    func match(_ other: Self) -> Match {
        if text == other.text || zip != nil && zip == other.zip || padded == other.padded { return .same }
        let isPart = text.hasPrefix(other.text) || other.text.hasPrefix(text)
        return isPart && min(text.count, other.text.count) >= 2 ? .similar : .different
    }

    /// The first five of nine digits, or all five.
    private var zip: Substring? {
        text.allSatisfy(\.isNumber) && [5, 9].contains(text.count) ? text.prefix(5) : nil
    }
}

extension PostcodeKey {
    /// Strips a folded postcode that is the rest of `utf8` from `start` on.
    static func strip(_ utf8: inout [UInt8], from start: Int, in country: String?) {
        var end = start
        for position in start..<utf8.count
        where utf8[position] != UInt8(ascii: " ") && utf8[position] != UInt8(ascii: "-") {
            utf8[end] = utf8[position]
            end += 1
        }
        utf8.removeSubrange(end...)
        guard let country, end > start else { return }
        if !isDigit(utf8[start]) { stripSign(&utf8, from: start, in: country) }
        // The last four of nine digits identify a side of the street.
        if utf8.count - start == 9, zipCountries.contains(country), utf8[start...].allSatisfy(isDigit) {
            utf8.removeLast(4)
        }
    }

    /// Drops the `d` of `d80331`, if the rest is a whole postcode.
    private static func stripSign(_ utf8: inout [UInt8], from start: Int, in country: String) {
        let sign = utf8[start...].prefix { !isDigit($0) }
        let rest = utf8[sign.endIndex...]
        guard !rest.isEmpty, sign.count <= 8, isWhole(rest, in: country), isSign(sign, of: country) else { return }
        utf8.removeSubrange(sign.indices)
    }

    /// True for digits only, or in the Netherlands for four digits and two letters.
    private static func isWhole(_ rest: ArraySlice<UInt8>, in country: String) -> Bool {
        let letters = rest.drop(while: isDigit)
        return letters.isEmpty || country == "NL" && rest.count == 6 && letters.count == 2
    }

    private static func isSign(_ sign: ArraySlice<UInt8>, of country: String) -> Bool {
        let text = String(decoding: sign, as: UTF8.self)
        return carSigns[country] == text || words.contains(text) || Country(folded: Array(sign))?.code == country
    }

    /// Words for "postcode", and Japan's sign for it.
    private static let words: Set = [
        "cp", "cep", "cap", "plz", "zip", "zipcode", "pin", "pincode", "psč", "psc", "tk", "τκ", "irsz", "〒",
    ]

    /// Returns the code of the country whose sign or code precedes a postcode: `d` or `de`.
    package static func country(ofSign sign: String) -> String? {
        let sign = sign.lowercased()
        return countriesBySign[sign] ?? (sign.utf8.count == 2 ? Country(sign)?.code : nil)
    }

    /// The country signs on cars, if they differ from the country's code.
    private static let carSigns = [
        "AT": "a", "BE": "b", "DE": "d", "EE": "est", "ES": "e", "FI": "fin", "FR": "f", "HU": "h", "IT": "i",
        "LI": "fl", "LU": "l", "NO": "n", "PT": "p", "SE": "s", "SI": "slo",
    ]

    private static let countriesBySign = Dictionary(uniqueKeysWithValues: carSigns.map { ($1, $0) })

    /// Countries whose postcodes are ZIP codes.
    static let zipCountries: Set = ["US", "PR", "GU", "VI", "AS", "MP"]

    /// The number of digits of a postcode, in countries where it may begin with a zero.
    private static let lengths = [
        "DE": 5, "US": 5, "ES": 5, "IT": 5, "FR": 5, "FI": 5, "PL": 5, "LT": 5, "SK": 5, "UA": 5, "TR": 5, "MX": 5,
        "KR": 5,
        "MY": 5, "PR": 5, "NO": 4, "AU": 4, "RO": 6, "CN": 6, "SG": 6, "JP": 7, "BR": 8,
    ]
}
