import Geocoding

extension LineReader {
    /// The most words that a name of a town has.
    static let longestName = 6
    /// Further towns of the same name are ignored.
    static let mostNamesakes = 400

    /// The best reading if the line is in this country, or in any country if `mention` is nil.
    func best(in mention: CountryMention?) -> LineReading {
        var best = LineReading(country: mention)
        best.score = mention?.weight ?? 0
        considerPostcodes(mention, &best)
        let free = (0..<tokens.count).filter { !(mention?.range.contains($0) ?? false) }
        for start in free {
            for length in 1...Self.longestName {
                let range = start..<(start + length)
                guard range.upperBound <= tokens.count, tokens[range.upperBound - 1].part == tokens[start].part,
                    !(mention?.range.overlaps(range) ?? false), !tokens[range.upperBound - 1].hasDigit
                else { break }
                consider(range, mention, &best)
            }
        }
        if !best.isNearPostcode, mention != nil || !countries.contains(where: { $0.weight >= LineScore.fullName }) {
            considerTownsOfPostcodes(mention, &best)
        }
        return best
    }

    private func consider(_ range: Range<Int>, _ mention: CountryMention?, _ best: inout LineReading) {
        let key = tokens.folded(range)
        guard key.count > 1 else { return }
        var rows = key.withUnsafeBufferPointer { gazetteer.towns(called: $0) }
        // `Taipei City`
        if rows.isEmpty, range.count > 1, isWordBehindTown(range.upperBound - 1) {
            rows = tokens.folded(range.dropLast()).withUnsafeBufferPointer { gazetteer.towns(called: $0) }
        }
        guard !rows.isEmpty, !isPartOfCountry(range), !isOnlyKind(range, rows) else { return }
        var place = placing(of: range, mention)
        if tokens.parts > 1 && beginsRegion(range, mention) || endsRegion(range) { place += LineScore.withinRegion }
        // Most names are at a place in the line where a town is impossible.
        guard place + LineScore.most > best.score - (mention?.weight ?? 0) else { return }
        let regions = regionsBehind(range, mention)
        let codes = postcodes.filter { !$0.range.overlaps(range) && !(mention?.range.overlaps($0.range) ?? false) }
        var surroundings: Surroundings?
        let isRegionOrCountry =
            rows.contains { $0.isPostcodeName }
            && (countries.contains { $0.range == range } || !gazetteerRegions(range).isEmpty)
        for row in rows.prefix(Self.mostNamesakes) {
            let town = gazetteer.places[row.place]
            guard mention?.country.covers(town.country) ?? true else { continue }
            // The villages Ohio and Россия are hardly meant.
            if row.isPostcodeName, isRegionOrCountry { continue }
            var reading = LineReading(country: mention, town: range)
            var score = (mention?.weight ?? 0) + place + people(town)
            if row.isPostcodeName { score += LineScore.postcodeName }
            if row.isShortName { score += LineScore.shortName }
            if let region = region(of: row.place, among: regions) {
                score += LineScore.ownRegion
                if tokens.endsPart(range.upperBound - 1), tokens.isWhole(region) { score += LineScore.regionPiece }
                reading.region = region
            }
            if mention == nil, let hint, hint.value == town.country { score += LineScore.likelyCountry }
            if let (code, worth) = postcode(of: town, among: codes, around: reading) {
                score += worth
                reading.postcode = code.range
                reading.isNearPostcode = worth > 2
            }
            takeSurroundings(of: town, into: &reading, &score, &surroundings)
            score -= unexplained(reading)
            score += named(reading, town, isMainName: row.isMainName)
            if reading.region == nil, isRegionOfUnknownTown(range, row, mention) {
                reading = reading.movingTown(to: townPiece(before: range))
            } else if reading.region == nil, isRegionBehindNumber(range, mention) {
                reading = reading.movingTown(to: wordsBehindNumber(before: range))
            }
            if score > best.score + 0.000_001 {
                reading.score = score
                best = reading
            }
        }
    }

    /// Returns whether the words are in the longer name of a country, or a code of a country that ends the line:
    /// `12 Elm St, Freehold, US` is not Us in France.
    private func isPartOfCountry(_ range: Range<Int>) -> Bool {
        countries.contains { mention in
            mention.range.count > range.count
                ? mention.weight >= LineScore.fullName && mention.range.overlaps(range)
                    && tokens[mention.range.lowerBound].part == tokens[mention.range.upperBound - 1].part
                : mention.range == range && mention.weight == LineScore.countryOfTwoLetters
                    && tokens.parts > 1 && tokens.isWhole(range)
        }
    }

    /// Returns whether a word for a kind of region is in the same piece as another word.
    private func isKind(_ index: Int, beside other: Int) -> Bool {
        index >= 0 && tokens[index].isKind && tokens[index].part == tokens[other].part
    }

    /// Returns whether the words are only a word for a kind of town, next to other pieces: `Merkez, Kars`.
    private func isOnlyKind(_ range: Range<Int>, _ rows: UnsafeBufferPointer<StoredKey>) -> Bool {
        tokens.parts > 1 && range.count == 1 && isTownWord(range.lowerBound) && tokens.isWhole(range)
            // Kota in India is a city.
            && !rows.contains { gazetteer.places[$0.place].population > Self.city }
    }

    private static let city = 200_000

    private func isWordBehindTown(_ index: Int) -> Bool {
        tokens[index].folded.count < 13
            && TownWords.after.contains(String(decoding: tokens.folded(index..<(index + 1)), as: UTF8.self))
    }

    private func people(_ town: StoredPlace) -> Double {
        var magnitude = 0.0
        var rest = Double(town.population) + 1_000
        while rest >= 2 {
            rest /= 2
            magnitude += 1
        }
        return (magnitude + rest - 1) * LineScore.people
    }

    /// The points for the position of the words: a piece of their own, after a number, at the end.
    func placing(of range: Range<Int>, _ mention: CountryMention?) -> Double {
        let (first, last) = (range.lowerBound, range.upperBound - 1)
        var score = LineScore.word * Double(range.count - 1)
        let starts = startsFreely(first, mention)
        let ends = endsFreely(last, mention)
        if starts, ends {
            score += LineScore.wholePiece
        } else if !starts, tokens.parts > 1 {
            score += LineScore.middleOfPiece
        }
        // `Paris Street`, `Rue de Paris 5`
        if !ends, last + 1 < tokens.count {
            let next = tokens[last + 1]
            if isStreetWord(last + 1) || next.hasDigit && !isPostcode(last + 1) || next.isKind {
                score += LineScore.beforeStreet
            }
        }
        if !starts {
            let isBehindStreet = tokens[first - 1].hasDigit || isStreetWord(first - 1)
            if isNameOfStreet(first) || isCorner(piece(around: first)) { score += LineScore.nameOfStreet }
            // `San Martín` in `José de San Martín` is not a town, and neither is Nitra in `Region of Nitra`.
            if isBehindStreet {
                score += LineScore.behindStreet
            } else if tokens[first].part > 0 {
                score += LineScore.behindOtherWord
            }
            if ((first - 2)..<first).contains(where: { isKind($0, beside: first) }) { score += LineScore.behindKind }
        }
        if range.contains(where: isStreetWord) {
            score +=
                range.count > 1
                ? LineScore.streetWordWithin : starts ? LineScore.streetWordAlone : LineScore.streetWordInPiece
        }
        return score
    }

    /// Returns whether the word is in the name of a street that begins with its kind: `Via Roma 12`, `12 rue de Paris`,
    /// `Avenue Louis Pasteur, Gellainville`.
    private func isNameOfStreet(_ index: Int) -> Bool {
        var start = index
        while !tokens.startsPart(start) { start -= 1 }
        let isNumberFirst = tokens[start].hasDigit
        if isNumberFirst { start += 1 }
        guard start < index, isStreetWord(start) else { return false }
        let between = (start + 1)..<index
        if between.contains(where: { tokens[$0].hasDigit }) { return false }
        let isNext = between.allSatisfy { tokens[$0].folded.count < 4 }
        return isNext || !isNumberFirst && tokens[index].part + 1 < tokens.parts
    }

    private func startsFreely(_ index: Int, _ mention: CountryMention?) -> Bool {
        tokens.startsPart(index) || mention?.range.upperBound == index || isPostcode(index - 1)
            || tokens.startsPart(index - 1) && isTownWord(index - 1)
    }

    func endsFreely(_ index: Int, _ mention: CountryMention?) -> Bool {
        tokens.endsPart(index) || mention?.range.lowerBound == index + 1 || isPostcode(index + 1)
            || isRegion(index + 1)
    }

    func isPostcode(_ index: Int) -> Bool {
        postcodes.contains { $0.range.contains(index) && (!$0.rows.isEmpty || $0.key.count > 4) }
    }

    private func isRegion(_ index: Int) -> Bool {
        !gazetteerRegions(index..<(index + 1)).isEmpty && tokens[index].isUpper
    }

    func isStreetWord(_ index: Int) -> Bool { tokens[index].isStreet }
}

extension LineReader {
    /// The points against a town for the words after it that are neither postcode nor region nor country.
    func unexplained(_ reading: LineReading) -> Double {
        guard let town = reading.town else { return 0 }
        // One bit for each piece: a line has at most 60.
        var (pieces, words): (UInt64, Int) = (0, 0)
        for index in town.upperBound..<tokens.count
        where !isExplained(index, by: reading) {
            words += 1
            pieces |= 1 << UInt64(tokens[index].part)
        }
        let isSamePiece = pieces >> UInt64(tokens[town.lowerBound].part) & 1 == 1
        return Double(pieces.nonzeroBitCount) * LineScore.unexplainedPiece
            + (isSamePiece ? LineScore.unexplainedInTown : 0) + LineScore.unexplainedWord * Double(words)
    }

    func isExplained(_ index: Int, by reading: LineReading) -> Bool {
        reading.town?.contains(index) ?? false || reading.country?.range.contains(index) ?? false
            || reading.postcode?.contains(index) ?? false || reading.region?.contains(index) ?? false
            || reading.country.map { $0.isBeforeNotes && index >= $0.range.upperBound } ?? false
    }
}
