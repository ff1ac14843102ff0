extension AddressParts {
    /// Reads what most streets are: a number and a name in plain letters, and nothing that any word list knows. Nil for
    /// all others, which need to be read properly; here that would give the same and take ten times as long.
    init?(plain street: String) {
        var words: [Substring] = []
        var number: Int?
        for word in street.split(separator: " ", omittingEmptySubsequences: false) {
            if Self.isPlainNumber(word), number == nil {
                number = words.count
            } else if !Self.isPlainName(word) || Self.telling.contains(word.lowercased()) {
                return nil
            }
            words.append(word)
        }
        guard let number, words.count > 1, number == 0 || number == words.count - 1 else { return nil }
        // `Highway 7` has no house.
        guard number == 0 || !Self.roads.contains(words[number - 1].lowercased()) else { return nil }
        self.init()
        houseNumber = String(words.remove(at: number))
        isNumberFirst = number == 0
        self.street = words.joined(separator: " ")
    }

    private static func isPlainNumber(_ word: Substring) -> Bool {
        (1...6).contains(word.utf8.count) && word.utf8.allSatisfy(isDigit)
    }

    private static func isPlainName(_ word: Substring) -> Bool {
        word.utf8.count > 1
            && word.utf8.allSatisfy { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
    }

    /// Words that may change how those around them are read.
    private static let telling: Set<String> = Set(AddressWords.marks.keys)
        .union(AddressWords.marks.values.joined().flatMap(\.words))
        .union(AddressWords.floors).union(AddressWords.groundFloors).union(AddressWords.numberSigns)
        .union(HouseNumberOrder.months).union(["bis", "ter", "quater", "de", "di", "of"])

    private static let roads = StreetTokens.numbered.union(StreetTokens.numberedAlone)
}
