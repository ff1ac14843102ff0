extension StreetTokens {
    struct Marked {
        var part: AddressWords.Part
        var value: String
        /// The index of its end in the tokens.
        var end: Int
    }

    /// Returns the part of an address that begins at `position`, if a word marks it.
    func marked(at position: Int, in country: String?, isHouseKnown: Bool) -> Marked? {
        // In `Via della Scala 12` it is a street's name; in `Via Roma 12 scala 2` it is a staircase of a house.
        let isName = position > 0 && !isHouseKnown && !tokens[..<position].contains(where: \.hasDigit)
        if isName, AddressWords.streetNames.contains(tokens[position].word) { return nil }
        return before(position, in: country) ?? behind(position)
    }

    /// `Apt 4`, `PO Box 12`, `c/o Ada`: the word is first.
    private func before(_ position: Int, in country: String?) -> Marked? {
        let words = words[position...]
        for mark in AddressWords.marks[words.first ?? "", default: []]
        where words.starts(with: mark.words) && mark.applies(in: country) && !(mark.isFirst && position > 0) {
            let start = position + mark.words.count
            if mark.part == .careOf {
                if start < count { return Marked(part: .careOf, value: self[start..<count].text, end: count) }
            } else if let end = valueEnd(from: start, for: mark.part) {
                return Marked(part: mark.part, value: value(in: start..<end), end: end)
            } else if mark.mayStandAlone, position == 0, start == count {
                return Marked(part: mark.part, value: self[0..<count].text, end: count)
            }
        }
        return nil
    }

    /// Returns the end of the value that starts at `start`. A value has a digit, or is one letter: `Unit Street` has
    /// none.
    private func valueEnd(from start: Int, for part: AddressWords.Part) -> Int? {
        var end = start
        if end + 1 < count, AddressWords.numberSigns.contains(tokens[end].word) { end += 1 }
        guard end < count else { return nil }
        let value = tokens[end]
        let isLetter = value.isLetter && [.unit, .building].contains(part)
        guard value.hasDigit && value.word.count <= 10 || isLetter else { return nil }
        end += 1
        // Box numbers are written in groups, and a number may be separated from its letter.
        while part == .postBox, end < count, tokens[end].hasDigit { end += 1 }
        let hasLetter = [.unit, .houseNumber].contains(part) && !isLetter && end < count && tokens[end].isLetter
        if hasLetter, end + 1 == count { end += 1 }
        return end
    }

    private func value(in range: Range<Int>) -> String {
        let hasSign = AddressWords.numberSigns.contains(tokens[range.lowerBound].word)
        let text = self[(range.lowerBound + (hasSign && range.count > 1 ? 1 : 0))..<range.upperBound].text
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// True if the token before a floor's word is its number. It is not in `12 Stock Road` and `Via Roma 5 piano 3`.
    private func mayCountFloors(_ position: Int) -> Bool {
        let token = tokens[position]
        let isLast = position + 2 == count
        // Danish: the ground floor.
        if token.word == "st" { return isLast }
        guard token.hasDigit, token.word.utf8.count <= 5 else { return false }
        let isOrdinal = token.hasPeriod || !token.number.utf8.allSatisfy(isDigit)
        let followsHouse = position > 0 && tokens[position - 1].hasDigit
        return isOrdinal || isLast && position == 0 || followsHouse
    }

    /// `2. Stock`, `3rd floor`, `3/F`, `EG`: the word is last, or alone.
    private func behind(_ position: Int) -> Marked? {
        let token = tokens[position]
        if token.hasDigit, token.number.hasSuffix("/f") {
            return Marked(part: .floor, value: token.text, end: position + 1)
        }
        if position + 1 < count, AddressWords.floors.contains(tokens[position + 1].word), mayCountFloors(position) {
            return Marked(part: .floor, value: self[position..<(position + 2)].text, end: position + 2)
        }
        if AddressWords.groundFloors.contains(token.word), position + 1 == count,
            position == 0 || tokens[position - 1].hasDigit
        {
            return Marked(part: .floor, value: token.text, end: count)
        }
        return nil
    }
}
