extension AddressParts {
    /// Reads the form that most streets have: a number and a name in plain letters, without any word of the word lists.
    /// Returns nil for all others, which need the full reading. For these plain streets the full reading gives the same
    /// result and takes twenty times as long.
    init?(plain street: String) {
        var street = street
        let halves = street.withUTF8 { utf8 -> (number: String, street: String, isNumberFirst: Bool)? in
            guard let number = Self.plainNumber(in: utf8) else { return nil }
            let isFirst = number.lowerBound == 0
            let name = isFirst ? utf8[(number.upperBound + 1)...] : utf8[..<(number.lowerBound - 1)]
            return (String(decoding: utf8[number], as: UTF8.self), String(decoding: name, as: UTF8.self), isFirst)
        }
        guard let halves else { return nil }
        self.init()
        (houseNumber, self.street, isNumberFirst) = (halves.number, halves.street, halves.isNumberFirst)
    }

    /// Returns the range of the house number: first or last, with a space between it and a plain name.
    private static func plainNumber(in street: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var number: Range<Int>?
        var last: ShortText?
        var folded: [UInt8] = []
        folded.reserveCapacity(32)
        var start = 0
        while start <= street.count {
            let end = street[start...].firstIndex(of: UInt8(ascii: " ")) ?? street.count
            let word = UnsafeBufferPointer(rebasing: street[start..<end])
            if number == nil, (1...6).contains(word.count), word.allSatisfy(isDigit) {
                number = start..<end
            } else {
                guard fold(name: word, into: &folded) else { return nil }
                last = ShortText(folded[...])
                if let last, telling.contains(last) { return nil }
            }
            start = end + 1
        }
        guard let number, number.count < street.count else { return nil }
        if number.lowerBound == 0 { return number }
        // `Highway 7` has no house number.
        guard number.upperBound == street.count, last.map(roads.contains) != true else { return nil }
        return number
    }

    /// Converts a word to loose form. Returns false unless it has two or more letters of those that Europe writes in
    /// Latin script.
    private static func fold(name: UnsafeBufferPointer<UInt8>, into folded: inout [UInt8]) -> Bool {
        folded.removeAll(keepingCapacity: true)
        var isASCII = true
        var position = 0
        while position < name.count {
            let byte = name[position]
            if (0x61...0x7A).contains(byte | 0x20), byte < 0x80 {
                folded.append(byte | 0x20)
                position += 1
            } else {
                // `À` to `ſ`, but for the signs `×` and `÷`.
                guard (0xC3...0xC5).contains(byte), position + 1 < name.count else { return false }
                if byte == 0xC3, name[position + 1] == 0x97 || name[position + 1] == 0xB7 { return false }
                isASCII = false
                position += 2
            }
        }
        if !isASCII {
            folded.removeAll(keepingCapacity: true)
            Folding.loose(name, into: &folded)
        }
        return folded.count > 1
    }

    /// Words that may change how the words around them are read.
    private static let telling = keys(
        Set(AddressWords.marks.keys)
            .union(AddressWords.marks.values.joined().flatMap(\.words))
            .union(AddressWords.floors).union(AddressWords.groundFloors).union(AddressWords.numberSigns)
            .union(AddressWords.months).union(["bis", "ter", "quater", "de", "di", "of"]))

    private static let roads = keys(StreetTokens.numbered.union(StreetTokens.numberedAlone))

    private static func keys(_ words: Set<String>) -> Set<ShortText> {
        Set(words.compactMap { ShortText(Array($0.utf8)[...]) })
    }
}
