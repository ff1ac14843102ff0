import Geocoding

extension LineReader {
    /// The words of a reading as an address. The words before the town are the street, and unexplained words after it
    /// the region.
    func fields(of reading: LineReading) -> Address {
        var reading = reading
        reading.town = reading.town.map { widened($0, in: reading) }
        let left = (0..<tokens.count).filter { !isExplained($0, by: reading) }
        let middle = reading.town?.lowerBound ?? reading.postcode?.lowerBound ?? reading.country?.range.lowerBound
        let end = middle ?? tokens.count
        var street = left.filter { $0 < end }
        var behind = left.filter { $0 >= end }
        // Addresses in Japan and Russia begin with the largest unit.
        if street.isEmpty, behind.contains(where: { tokens[$0].hasDigit }) { (street, behind) = (behind, []) }
        let region = reading.region.map { tokens.text($0) } ?? ""
        let rest = tokens.text(behind)
        return Address(
            street: tokens.text(street).trimmingMarks, city: reading.town.map { tokens.text($0).trimmingMarks } ?? "",
            region: (region.isEmpty ? rest : region).trimmingMarks,
            postcode: reading.postcode.map { tokens.text($0).trimmingMarks } ?? "",
            country: reading.country.map { tokens.text($0.range).trimmingMarks } ?? "")
    }

    /// The town with the words that stand directly after it: then an unknown town is meant, such as `Santa María de
    /// Pantasma`.
    private func widened(_ town: Range<Int>, in reading: LineReading) -> Range<Int> {
        func belongs(_ index: Int) -> Bool {
            tokens.tokens.indices.contains(index) && !tokens[index].hasDigit && !isStreetWord(index)
                && !tokens[index].isKind && !isExplained(index, by: reading)
        }
        var (start, end) = (town.lowerBound, town.upperBound)
        // `15100 Las Maderas`
        let isOnlyTown =
            tokens.parts == 1 && reading.postcode != nil && reading.country == nil
            && (0..<tokens.count).allSatisfy { isExplained($0, by: reading) || belongs($0) }
        guard tokens.parts > 1 || isOnlyTown else { return town }
        while belongs(end), !tokens.startsPart(end) { end += 1 }
        // `El Rosario, Baja California`
        let isStreet =
            tokens[start].part == 0
            && (0..<end).contains {
                tokens[$0].part == 0 && !isExplained($0, by: reading) && (tokens[$0].hasDigit || isStreetWord($0))
            }
        guard !isStreet else { return start..<end }
        while !tokens.startsPart(start), belongs(start - 1), !isTownWord(start - 1) { start -= 1 }
        return start..<end
    }

    /// `г` in `г. Микунь`
    func isTownWord(_ index: Int) -> Bool {
        TownWords.before.contains(String(decoding: tokens.folded(index..<(index + 1)), as: UTF8.self))
    }

    /// A reading for a line without a known town, guessed from the usual position of towns.
    func guessed(_ reading: LineReading) -> LineReading {
        var reading = reading
        let country = reading.country?.country
        if reading.postcode == nil {
            reading.postcode =
                postcodes.filter { code in
                    !(reading.country?.range.overlaps(code.range) ?? false)
                        && (code.signed != nil || PostcodeShape.fits(code.key, in: country ?? hint))
                        && isLikelyPostcode(code)
                }.max { $0.range.lowerBound < $1.range.lowerBound || $0.range.count < $1.range.count }?.range
        }
        let free = (0..<tokens.count).filter { !isExplained($0, by: reading) }
        reading.region = reading.region ?? free.last.flatMap { isCodeOfRegion($0, in: country) ? $0..<($0 + 1) : nil }
        if reading.region == nil, reading.postcode == nil { reading.region = regionAtEnd(reading) }
        reading.town = townBesidePostcode(reading) ?? townAtEnd(reading)
        return reading
    }

    /// The last piece if it is a region of the country, or of one country only, and the piece before it may be a town: `Kijal, Terengganu`
    private func regionAtEnd(_ reading: LineReading) -> Range<Int>? {
        guard let last = (0..<tokens.count).last(where: { !isExplained($0, by: reading) }) else { return nil }
        var start = last
        while !tokens.startsPart(start) { start -= 1 }
        guard tokens[start].part > 0, let before = piece(before: start..<(last + 1)),
            !before.contains(where: { tokens[$0].hasDigit || isStreetWord($0) })
        else { return nil }
        let owners = Set(gazetteerRegions(start..<(last + 1)).map { UInt16(gazetteer.regions[Int($0)].country) })
        let isRegion = reading.country.map { mention in owners.contains { mention.country.covers($0) } }
        // `Blackey, Kentucky`
        return isRegion ?? (owners.count == 1 && tokens.folded(start..<(last + 1)).count > 3) ? start..<(last + 1) : nil
    }

    /// The same reading with a region's code after the town, and the postcode after the code. It is for codes that
    /// don't fit the known town of that name, so another town is meant.
    func withCodesBehindTown(_ reading: LineReading) -> LineReading {
        guard let town = reading.town, reading.region == nil, town.upperBound < tokens.count,
            isCodeOfRegion(town.upperBound, in: reading.country?.country), !isExplained(town.upperBound, by: reading)
        else { return reading }
        var reading = reading
        let region = town.upperBound..<(town.upperBound + 1)
        reading.region = region
        if reading.postcode == nil {
            reading.postcode =
                postcodes.filter { $0.range.lowerBound == region.upperBound }.max { $0.range.count < $1.range.count }?
                .range
        }
        return reading
    }

    /// Excludes a four-digit number at the start of a line, which is a house number.
    private func isLikelyPostcode(_ code: PostcodeMention) -> Bool {
        if code.signed != nil || code.key.contains(where: { $0 > 0x39 }) { return true }
        if code.key.count < 4 || isHouseNumber(code) { return false }
        return code.range.lowerBound > 0 || code.key.count > 4
            || tokens.parts > 1 && !isFollowedByStreet(code.range.upperBound)
    }

    private func isFollowedByStreet(_ index: Int) -> Bool {
        (index..<min(index + 4, tokens.count)).contains { isStreetWord($0) }
    }

    func isCodeOfRegion(_ index: Int, in country: CountryKey?) -> Bool {
        let token = tokens[index]
        guard token.isUpper, (2...3).contains(token.text.count) else { return false }
        let countries = country.map { [$0.code] } ?? ["US", "CA", "AU"]
        return countries.contains { Country($0)?.regionCode(of: tokens.text(index..<(index + 1))) != nil }
    }

    /// `1010 Wien`, `Leeds LS1 4AP`, `Peoria IL 61602`
    private func townBesidePostcode(_ reading: LineReading) -> Range<Int>? {
        guard let code = reading.postcode else { return nil }
        func isTown(_ index: Int) -> Bool {
            tokens.tokens.indices.contains(index) && !tokens[index].hasDigit && !isExplained(index, by: reading)
        }
        var end = code.upperBound
        while isTown(end), end == code.upperBound || !tokens.startsPart(end) { end += 1 }
        if end > code.upperBound, tokens[code.upperBound].part == tokens[code.lowerBound].part || code.lowerBound == 0 {
            return code.upperBound..<end
        }
        let last =
            (reading.region.map { $0.upperBound == code.lowerBound ? $0.lowerBound : code.lowerBound }
                ?? code.lowerBound) - 1
        var start = last
        while isTown(start), !isStreetWord(start) {
            if tokens.startsPart(start) { return start..<(last + 1) }
            start -= 1
        }
        // `12 Rose Cottage, MO 65806`
        if tokens.parts > 1, start >= 0, tokens.startsPart(start), tokens[start].hasDigit { return nil }
        // Without commas, the town is taken to be the last one or two words.
        if start < last, start >= 0 { return max(start + 1, last - 1)..<(last + 1) }
        return end > code.upperBound ? code.upperBound..<end : nil
    }

    /// The last piece without a number, if there are several pieces; otherwise the words after the last number.
    private func townAtEnd(_ reading: LineReading) -> Range<Int>? {
        let free = (0..<tokens.count).filter { !isExplained($0, by: reading) }
        guard let last = free.last, !tokens[last].hasDigit else { return nil }
        var start = last
        while start > 0, free.contains(start - 1), !tokens[start - 1].hasDigit, !tokens.startsPart(start) { start -= 1 }
        let isPiece = tokens.startsPart(start)
        if isPiece,
            start > 0 || free.count == tokens.count && last - start < 4
                || reading.country != nil && !(start...last).contains(where: isStreetWord)
        {
            return start..<(last + 1)
        }
        // `Hauptstraße 5 Hannovr`
        if !isPiece, start > 1, last - start < 3, !(start...last).contains(where: isStreetWord) {
            return start..<(last + 1)
        }
        return nil
    }
}

extension String {
    /// The text without marks and spaces at its ends. A final period stays if it may belong to an abbreviation.
    fileprivate var trimmingMarks: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        // Most texts begin and end with an ASCII letter or digit, which is cheap to check.
        if first.isPlain, last.isPlain { return self }
        var text = self[...].drop { $0.isWhitespace || ",;:-–".contains($0) }
        while let last = text.last, last.isWhitespace || ",;:-–".contains(last) { text.removeLast() }
        return String(text)
    }
}

extension UInt8 {
    /// True for a letter, a digit or a period of ASCII.
    fileprivate var isPlain: Bool {
        (0x61...0x7A).contains(self | 0x20) && self < 0x80 || (0x30...0x39).contains(self) || self == UInt8(ascii: ".")
    }
}
