/// A part of an address, split into street and house number.
struct StreetReading {
    var name: StreetTokens
    var number = ""
    var isNumberFirst = false
    /// A unit that was written with the number.
    var unit = ""

    var hasNumber: Bool { !number.isEmpty }
    var hasName: Bool { !name.isEmpty }
    /// True if there is only a house number.
    var isNumber: Bool { hasNumber && !hasName }
}

/// The position of the house number: in Helsinki behind the street, in London before it.
struct HouseNumberOrder {
    let country: String?

    init(in country: Country?) {
        self.country = country?.code
    }

    /// Nil if the country is unknown.
    var isNumberFirst: Bool? { country.map(PostalFormats.numberFirst.contains) }

    func split(_ tokens: StreetTokens) -> StreetReading {
        if tokens.number(in: 0..<tokens.count) { return StreetReading(name: StreetTokens([]), number: tokens.text) }
        let none = StreetReading(name: tokens)
        return isNumberFirst == false
            ? last(tokens) ?? first(tokens) ?? none
            : first(tokens) ?? last(tokens) ?? none
    }

    /// `12 Main St`, `12 bis rue de Rivoli`, but not `25 de Mayo` nor `17. Juni`.
    private func first(_ tokens: StreetTokens) -> StreetReading? {
        let words = tokens.words
        for length in [3, 2, 1] where length < tokens.count && tokens.number(in: 0..<length) {
            // `12 A Street`: the street is called `A`. In `12 A rue X` the `A` belongs to the number.
            let letter = length == 2 && tokens.tokens[1].isLetter
            if letter, !AddressWords.kindsBeforeNames.contains(words[2]) { continue }
            let name = tokens[length..<tokens.count]
            guard !isDate(words[length...]), !tokens.tokens[length - 1].hasPeriod, name.hasLetters else { continue }
            return StreetReading(name: name, number: tokens[0..<length].text, isNumberFirst: true)
        }
        return nil
    }

    /// True if a number before `words` is a day: `25 de Mayo`, `11 Listopada`. In `12 May Street` it is a house number,
    /// if the country writes that first.
    private func isDate(_ words: ArraySlice<String>) -> Bool {
        guard let first = words.first else { return false }
        if AddressWords.months.contains(first) { return isNumberFirst != true }
        return ["de", "di", "of"].contains(first) && words.dropFirst().first.map(AddressWords.months.contains) ?? false
    }

    /// `Hauptstraße 12 a`, but not `Highway 7` nor `Calle 26`.
    private func last(_ tokens: StreetTokens) -> StreetReading? {
        if country == "FI", let reading = finnish(tokens) { return reading }
        for length in [3, 2, 1] where length < tokens.count {
            let start = tokens.count - length
            guard tokens.number(in: start..<tokens.count) else { continue }
            let name = tokens[0..<start]
            guard name.hasLetters, !name.endsInNumberedRoad else { return nil }
            let text = tokens[start..<tokens.count].text
            return StreetReading(name: name, number: text.hasSuffix(".") ? String(text.dropLast()) : text)
        }
        return nil
    }

    /// `Mannerheimintie 5 A 12`: staircase A, flat 12.
    private func finnish(_ tokens: StreetTokens) -> StreetReading? {
        let start = tokens.count - 3
        guard start > 0, tokens.number(in: start..<(start + 1)), tokens.tokens[start + 1].isLetter,
            tokens.number(in: (start + 2)..<tokens.count)
        else { return nil }
        return StreetReading(
            name: tokens[0..<start], number: tokens[start..<(start + 1)].text,
            unit: tokens[(start + 1)..<tokens.count].text)
    }
}

extension StreetTokens {
    /// True if the tokens in `range` are one house number: `12a`, `12 - 14`, `12 bis`, `12 1/2`.
    func number(in range: Range<Int>) -> Bool {
        let numbers = tokens[range].map(\.number)
        switch numbers.count {
        case 1: return numbers[0].isHouseNumber
        case 2:
            guard numbers[0].isHouseNumber else { return false }
            return ["bis", "ter", "quater", "1/2"].contains(numbers[1])
                || tokens[range.lowerBound + 1].isLetter && numbers[0].utf8.allSatisfy(isDigit)
        case 3: return numbers[0].isHouseNumber && ["-", "/", ""].contains(numbers[1]) && numbers[2].isHouseNumber
        default: return false
        }
    }

    /// True for two letters, or one with a digit. `Q 7` and `Q7` in Mannheim are blocks, not a house in the street Q.
    var hasLetters: Bool {
        let letters = tokens.reduce(0) { $0 + $1.word.filter(\.isLetter).count }
        return letters >= 2 || letters == 1 && tokens.contains(where: \.hasDigit)
    }

    /// True if a number behind this is part of the name: `Highway 7`, `County Road 12`, `Calle 26`.
    var endsInNumberedRoad: Bool {
        guard let last = words.last else { return false }
        let owner = count > 1 ? words[count - 2] : ""
        return Self.numbered.contains(last)
            || Self.numberedAlone.contains(last) && (count == 1 || Self.owners.contains(owner))
    }

    static let numbered: Set = [
        "highway", "hwy", "route", "rte", "interstate", "soi", "km", "sr", "fm", "mile", "ruta", "autopista",
        "bundesstrasse",
    ]
    static let numberedAlone: Set = [
        "road", "rd", "street", "st", "avenue", "ave", "av", "avenida", "calle", "carrera", "cra", "kr", "lane",
        "jalan",
        "jl", "sector", "block", "phase", "cr", "us", "i", "carretera", "transversal", "diagonal",
    ]
    private static let owners: Set = ["county", "state", "township", "farm", "forest", "us"]
}

extension String {
    /// `12`, `12a`, `12-14`, `12/3`, `12½`; not `5th`.
    fileprivate var isHouseNumber: Bool {
        guard utf8.count <= 12, let first = utf8.first, isDigit(first) else { return false }
        for part in split(whereSeparator: { $0 == "-" || $0 == "/" || $0 == "⁄" || $0 == "." }) {
            let letters = part.drop { $0.isNumber }
            let isLetter = letters.isEmpty || letters.count == 1 && letters.allSatisfy(\.isLetter)
            guard isLetter || letters == "bis" || letters == "ter" else { return false }
        }
        return true
    }
}
