extension Address {
    /// Reads an address that is written on one line: `Mannerheimintie 1, 00100 Helsinki, Finland`.
    ///
    /// Commas and line breaks separate the parts. The last part is the country if ``Country`` recognizes it, so `San
    /// Francisco, CA` is in Canada, unless a postcode or a country follows. A part with a postcode also contains the
    /// city, and the region in the notation of the United States, Canada and Australia. The parts before it are the
    /// street.
    public init(line: String) {
        self.init()
        var parts = line.split { $0 == "," || $0.isNewline }.map { String($0).trimmed }.filter { !$0.isEmpty }
        if parts.count > 1, let last = parts.last, Country(last) != nil { country = parts.removeLast() }
        let code = Country(country)?.code
        for index in parts.indices.reversed() {
            guard let found = PostcodePart(parts[index], at: index, of: parts.count, in: code) else { continue }
            postcode = found.postcode
            region = found.region
            place(parts[..<index], city: found.city, parts[(index + 1)...], in: code)
            return
        }
        place(parts[...], city: "", [], in: code)
    }

    /// Assigns the parts before and behind a postcode. If no city is known, it is one of these parts.
    private mutating func place(
        _ before: ArraySlice<String>, city known: String, _ behind: ArraySlice<String>, in country: String?
    ) {
        var (before, behind) = (before, behind)
        city = known
        if city.isEmpty {
            takeRegion(from: &before, in: country)
            // The first part contains the house number, if there is one.
            if let last = before.last, before.count > 1 || !last.contains(where: \.isNumber) {
                city = before.removeLast()
            } else {
                city = behind.popFirst() ?? ""
            }
        }
        if region.isEmpty { region = behind.joined(separator: ", ") }
        street = before.joined(separator: ", ")
    }

    /// `NV` is a region wherever it is last. `New York` is a region only behind a part that may be a city.
    private mutating func takeRegion(from parts: inout ArraySlice<String>, in country: String?) {
        guard region.isEmpty, parts.count > 1, let last = parts.last, let first = parts.first else { return }
        let isBehindCity = parts.count > 2 || !first.contains(where: \.isNumber)
        if last.isRegionCode(in: country) || country != nil && isBehindCity && last.isRegion(of: country) {
            region = parts.removeLast()
        }
    }
}

/// A part of an address with a postcode in it.
private struct PostcodePart {
    let postcode: String
    let city: String
    let region: String

    init?(_ part: String, at index: Int, of count: Int, in country: String?) {
        // A number alone, or alone before its country, is more often a house number.
        let isFirst = index == 0
        if isFirst, country == nil { return nil }
        let words = part.split(separator: " ").map { String($0.drop { $0 == "〒" }) }
        let isNumberFirst = country.map(PostalFormats.numberFirst.contains) ?? false
        for length in [2, 1] where words.count >= length {
            let (start, end) = (Array(words.prefix(length)), Array(words.suffix(length)))
            let mayBegin = (index == count - 1 || country != nil) && !start.mayBeHouse(in: country)
            if start.isPostcode(in: country), words.count == length || mayBegin || start[0].first?.isLetter ?? false,
                !isFirst || count == 1 || start.digits > 4
            {
                self.init(start, rest: words.dropFirst(length), in: country)
                return
            }
            if end.isPostcode(in: country), !isFirst || isNumberFirst || end.digits > 4 {
                self.init(end, rest: words.dropLast(length), in: country)
                return
            }
        }
        return nil
    }

    private init(_ code: [String], rest: ArraySlice<String>, in country: String?) {
        postcode = code.joined(separator: " ")
        if let last = rest.last, last.isRegionCode(in: country) {
            (city, region) = (rest.dropLast().joined(separator: " "), last)
        } else {
            (city, region) = (rest.joined(separator: " "), "")
        }
    }
}

extension [String] {
    /// True if these words, which have the form of a postcode and begin a part, are more likely a house number: `1600
    /// Pennsylvania Ave`, but not `1600 Manila`, where the postcode is before the city.
    fileprivate func mayBeHouse(in country: String?) -> Bool {
        guard let country, PostalFormats.numberFirst.contains(country), !PostalFormats.postcodeFirst.contains(country)
        else { return false }
        return count == 1 && digits <= (PostcodeKey.zipCountries.contains(country) ? 5 : 4)
    }

    fileprivate var digits: Int { joined().count { $0.isASCII && $0.isNumber } }

    /// True if these words have the form of a postcode, in one word or in two.
    fileprivate func isPostcode(in country: String?) -> Bool {
        let shape = map(\.shape).joined(separator: " ")
        if Self.shapes.contains(shape) { return true }
        // `VLT 1117` is Maltese, and `NSW 2000` a state and a postcode.
        if shape == "AAA 9999" || shape == "AAA9999" { return country == "MT" }
        // `1012 AB` is Dutch, and `1012 Al` begins a street.
        if shape == "9999 AA" || shape == "9999AA" { return country == "NL" || self == map { $0.uppercased() } }
        // `D-10115`: the country's car sign before the number.
        if count == 1, let dash = self[0].firstIndex(of: "-") {
            let sign = self[0][..<dash]
            return (1...2).contains(sign.count) && sign.allSatisfy { $0.isASCII && $0.isUppercase }
                && ["9999", "99999", "999999"].contains(String(self[0][dash...].dropFirst()).shape)
        }
        return isEircode
    }

    /// `D02 AF30`, in one word or in two
    private var isEircode: Bool {
        let text = joined()
        guard text.count == 7, count == 1 || self[0].count == 3 else { return false }
        let (area, house) = (text.prefix(3), text.suffix(4))
        return ["A99", "A9A"].contains(String(area).shape)
            && house.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && house.contains(where: \.isLetter) && house.contains(where: \.isNumber)
    }

    /// `9` stands for a digit, `A` for a letter.
    private static let shapes: Set<String> = {
        let british = ["A9", "A99", "AA9", "AA99", "A9A", "AA9A"].flatMap { ["\($0) 9AA", "\($0)9AA"] }
        return Set(
            british + [
                "9999", "99999", "999999", "9999999", "99999-9999", "99-999", "9999-999", "99999-999", "999-9999",
                "999-99", "999 99", "A9A 9A9", "A9A9A9",
            ])
    }()
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...].drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }

    fileprivate var shape: String {
        String(map { $0.isASCII && $0.isNumber ? "9" : $0.isASCII && $0.isLetter ? "A" : $0 })
    }

    /// `NV`, `ON`, `NSW`: a region code of the country, or of any country that writes its regions as codes.
    fileprivate func isRegionCode(in country: String?) -> Bool {
        guard (2...3).contains(count), allSatisfy({ $0.isASCII && $0.isUppercase }) else { return false }
        return (country.map { [$0] } ?? ["US", "CA", "AU"]).contains { isRegion(of: $0) }
    }

    fileprivate func isRegion(of country: String?) -> Bool {
        guard let country, ["US", "CA", "AU"].contains(country), let country = Country(country) else { return false }
        return Region.code(folded: Array(Folding.canonical(self).utf8)[...], in: country) != nil
    }
}
