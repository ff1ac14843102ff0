extension AddressParts {
    /// Reads what most streets are: a number and a name in plain letters, and nothing that any word list knows. Nil for
    /// all others, which need to be read properly; here that would give the same and take ten times as long.
    init?(plain street: String) {
        var words: [Substring] = []
        var number: Int?
        var last = ""
        for word in street.split(separator: " ", omittingEmptySubsequences: false) {
            if Self.isPlainNumber(word), number == nil {
                number = words.count
            } else {
                guard let name = Self.plainName(word), !Self.telling.contains(name) else { return nil }
                last = name
            }
            words.append(word)
        }
        guard let number, words.count > 1, number == 0 || number == words.count - 1 else { return nil }
        // `Highway 7` has no house.
        guard number == 0 || !Self.roads.contains(last) else { return nil }
        self.init()
        houseNumber = String(words.remove(at: number))
        isNumberFirst = number == 0
        self.street = words.joined(separator: " ")
    }

    private static func isPlainNumber(_ word: Substring) -> Bool {
        (1...6).contains(word.utf8.count) && word.utf8.allSatisfy(isDigit)
    }

    /// The word in loose form, if it is two letters or more of those that Europe writes Latin with.
    private static func plainName(_ word: Substring) -> String? {
        var isASCII = true
        for scalar in word.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z": break
            case "×", "÷": return nil
            case "À"..."ſ": isASCII = false
            default: return nil
            }
        }
        let name = isASCII ? word.lowercased() : Folding.loose(String(word))
        return name.utf8.count > 1 ? name : nil
    }

    /// Words that may change how those around them are read.
    private static let telling: Set<String> = Set(AddressWords.marks.keys)
        .union(AddressWords.marks.values.joined().flatMap(\.words))
        .union(AddressWords.floors).union(AddressWords.groundFloors).union(AddressWords.numberSigns)
        .union(HouseNumberOrder.months).union(["bis", "ter", "quater", "de", "di", "of"])

    private static let roads = StreetTokens.numbered.union(StreetTokens.numberedAlone)
}
