import Geocoding

extension LineReader {
    /// Names of towns have no more words.
    private static let longestName = 6
    /// What else is called so is not looked at.
    private static let mostNamesakes = 400

    /// The best reading if the line lies in a country, or says nothing about it.
    func best(in mention: CountryMention?) -> LineReading {
        var best = LineReading(country: mention)
        best.score = mention?.weight ?? 0
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

    /// Villages that only their postcode knows: `Magnolia, DE 19962`.
    private func considerTownsOfPostcodes(_ mention: CountryMention?, _ best: inout LineReading) {
        for code in postcodes where !(mention?.range.overlaps(code.range) ?? false) {
            for row in code.rows where mention?.country.covers(gazetteer.postcodes[row].country) ?? true {
                let found = gazetteer.postcodes[row]
                guard let range = piece(called: found.placeKey(gazetteer), beside: code.range) else { continue }
                var reading = LineReading(country: mention, postcode: code.range, town: range)
                var score =
                    (mention?.weight ?? 0) + placing(of: range, mention)
                    + LineScore.areaOfPostcode
                    + (code.key.count > 4 ? LineScore.placeOfPostcode : LineScore.placeOfShortPostcode)
                if let region = regionsBehind(range, mention).first(where: { $0.rows.contains(UInt32(found.region)) }) {
                    score += LineScore.ownRegion
                    reading.region = region.range
                }
                if mention == nil, let hint, hint.value == found.country { score += LineScore.likelyCountry }
                score -= unexplained(reading)
                if score > best.score + 0.000_001 {
                    reading.score = score
                    best = reading
                }
            }
        }
    }

    /// Where a name stands, at most three words from a postcode.
    private func piece(called key: UnsafeBufferPointer<UInt8>, beside code: Range<Int>) -> Range<Int>? {
        for start in max(0, code.lowerBound - 3 - Self.longestName)..<min(tokens.count, code.upperBound + 1) {
            for end in (start + 1)...(start + Self.longestName) where end <= tokens.count {
                let range = start..<end
                guard tokens[end - 1].part == tokens[start].part, !range.overlaps(code) else { break }
                if end + 3 >= code.lowerBound, tokens.folded(range).elementsEqual(key) { return range }
            }
        }
        return nil
    }

    private func consider(_ range: Range<Int>, _ mention: CountryMention?, _ best: inout LineReading) {
        let key = tokens.folded(range)
        guard key.count > 1 else { return }
        let rows = key.withUnsafeBufferPointer { gazetteer.towns(called: $0) }
        guard !rows.isEmpty else { return }
        let place = placing(of: range, mention)
        // Most names stand where no town can.
        guard place + LineScore.most > best.score - (mention?.weight ?? 0) else { return }
        let regions = regionsBehind(range, mention)
        let codes = postcodes.filter { !$0.range.overlaps(range) && !(mention?.range.overlaps($0.range) ?? false) }
        var surroundings: Surroundings?
        for row in rows.prefix(Self.mostNamesakes) {
            let town = gazetteer.places[row.place]
            guard mention?.country.covers(town.country) ?? true else { continue }
            var reading = LineReading(country: mention, town: range)
            var score = (mention?.weight ?? 0) + place + people(town)
            if row.isShortName { score += LineScore.shortName }
            if let region = region(of: row.place, among: regions) {
                score += LineScore.ownRegion
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
                reading = reading.movingTown(to: piece(before: range))
            } else if reading.region == nil, isRegionBehindNumber(range, mention) {
                reading = reading.movingTown(to: wordsBehindNumber(before: range))
            }
            if score > best.score + 0.000_001 {
                reading.score = score
                best = reading
            }
        }
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

    /// How well the words stand where towns stand: a piece of their own, behind a number, at the end.
    private func placing(of range: Range<Int>, _ mention: CountryMention?) -> Double {
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
            // `San Martín` is not José de San Martín, and no town is the `Region of Nitra`.
            if isBehindStreet {
                score += LineScore.behindStreet
            } else if tokens[first].part > 0 {
                score += LineScore.behindOtherWord
            }
            if tokens[first - 1].isKind || first > 1 && tokens[first - 2].isKind { score += LineScore.behindKind }
        }
        if range.contains(where: isStreetWord) {
            score +=
                range.count > 1
                ? LineScore.streetWordWithin : starts ? LineScore.streetWordAlone : LineScore.streetWordInPiece
        }
        return score
    }

    private func startsFreely(_ index: Int, _ mention: CountryMention?) -> Bool {
        tokens.startsPart(index) || mention?.range.upperBound == index || isPostcode(index - 1)
    }

    private func endsFreely(_ index: Int, _ mention: CountryMention?) -> Bool {
        tokens.endsPart(index) || mention?.range.lowerBound == index + 1 || isPostcode(index + 1)
            || isRegion(index + 1)
    }

    private func isPostcode(_ index: Int) -> Bool {
        postcodes.contains { $0.range.contains(index) && (!$0.rows.isEmpty || $0.key.count > 4) }
    }

    private func isRegion(_ index: Int) -> Bool {
        !gazetteerRegions(index..<(index + 1)).isEmpty && tokens[index].isUpper
    }

    func isStreetWord(_ index: Int) -> Bool { tokens[index].isStreet }
}

extension LineReader {
    /// A region that is named behind some words.
    struct RegionMention {
        let range: Range<Int>
        let rows: [UInt32]
        /// `PR` in San Juan, PR, USA
        let territory: CountryKey?
    }

    /// The regions named right behind a town, where a postcode may stand between.
    private func regionsBehind(_ town: Range<Int>, _ mention: CountryMention?) -> [RegionMention] {
        var start = town.upperBound
        if let code = postcodes.first(where: { $0.range.lowerBound == start }) { start = code.range.upperBound }
        var found: [RegionMention] = []
        for length in 1...4 where start + length <= tokens.count {
            let range = start..<(start + length)
            guard tokens[range.upperBound - 1].part == tokens[start].part, !(mention?.range.overlaps(range) ?? false)
            else { break }
            let rows = gazetteerRegions(range)
            let folded = tokens.folded(range)
            // A code is written in capitals, and `Ica` is no code.
            guard folded.count > 3 || tokens[start].isUpper || rows.contains(where: { isName(folded, ofRegion: $0) })
            else { continue }
            let territory = territory(of: mention, at: range)
            guard !rows.isEmpty || territory != nil else { continue }
            found.append(RegionMention(range: range, rows: rows, territory: territory.map { CountryKey($0.code) }))
        }
        return found.reversed()
    }

    private func territory(of mention: CountryMention?, at range: Range<Int>) -> Country? {
        guard let mention, mention.country.hasTerritories, let country = Country(tokens.text(range)) else { return nil }
        return country.sovereignCode == mention.country.code ? country : nil
    }

    private func gazetteerRegions(_ range: Range<Int>) -> [UInt32] {
        guard range.upperBound <= tokens.count else { return [] }
        let key = tokens.folded(range)
        let rows = key.withUnsafeBufferPointer { gazetteer.regions(called: $0) }
        if !rows.isEmpty || range.count == 1 { return rows.map(\.row) }
        guard range.contains(where: { tokens[$0].hasKind }) else { return [] }
        return NameKeys.regionKeys(String(decoding: key, as: UTF8.self)).flatMap { key in
            Array(key.utf8).withUnsafeBufferPointer { gazetteer.regions(called: $0) }.map(\.row)
        }
    }

    private func isName(_ key: some Sequence<UInt8>, ofRegion row: UInt32) -> Bool {
        Folding.loose(gazetteer.image.string(at: gazetteer.regions[Int(row)].name)).utf8.elementsEqual(key)
    }

    private func region(of place: Int, among mentions: [RegionMention]) -> Range<Int>? {
        let town = gazetteer.places[place]
        return mentions.first {
            $0.rows.contains(UInt32(town.region)) || $0.territory?.value == town.country
        }?.range
    }

    /// The postcode that belongs to a town, and how much it speaks for it.
    private func postcode(
        of town: StoredPlace, among codes: [PostcodeMention], around reading: LineReading
    ) -> (PostcodeMention, Double)? {
        var best: (PostcodeMention, Double)?
        for code in codes where reading.region.map({ !$0.overlaps(code.range) }) ?? true {
            let isBeside =
                code.range.upperBound == reading.town?.lowerBound
                || code.range.lowerBound == reading.town?.upperBound
                || code.range.lowerBound == reading.region?.upperBound
            var worth = isBeside ? LineScore.besidePostcode : 0
            let rows = code.rows.filter { gazetteer.postcodes[$0].country == town.country }
            if rows.contains(where: { gazetteer.postcodes[$0].coordinate.distance(to: town.coordinate) < 30_000 }) {
                worth += isBeside || code.key.count > 4 ? LineScore.ownPostcode : LineScore.ownShortPostcode
            } else if !rows.isEmpty {
                // It is another town's. What stands beside the town is its postcode all the same, and makes it doubtful.
                worth += LineScore.foreignPostcode
            } else if PostcodeShape.fits(code.key, in: CountryKey(town.country)) {
                worth += isBeside || code.key.count > 4 ? LineScore.shapeOfPostcode : 0
            } else {
                continue
            }
            if let signed = code.signed {
                worth += signed.value == town.country ? LineScore.ownSign : LineScore.foreignSign
            }
            if worth > best?.1 ?? 0 { best = (code, worth) }
        }
        return best
    }

    /// What stands behind the town and is neither postcode nor region nor country speaks against it.
    private func unexplained(_ reading: LineReading) -> Double {
        guard let town = reading.town else { return 0 }
        // A bit for each piece: a line has no more than 60.
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
    }
}

extension LineReader {
    /// So far from a town lies what is named to tell where it is.
    private static let around = 80_000.0

    /// The words behind a town, and the towns that are called so.
    private struct Surroundings {
        let range: Range<Int>
        let key: [UInt8]
        let towns: [StoredPlace]
    }

    /// Behind a town may stand a larger one near it, `Waikanae, Wellington`, or the one after which its region is called:
    /// `Kineshma, Ivanovo`. Without commas only the latter.
    private func takeSurroundings(
        of town: StoredPlace, into reading: inout LineReading, _ score: inout Double, _ known: inout Surroundings?
    ) {
        guard reading.region == nil, var start = reading.town?.upperBound else { return }
        while start < tokens.count, isExplained(start, by: reading) { start += 1 }
        let isOnePiece = tokens.parts == 1
        guard start < tokens.count, isOnePiece || tokens.startsPart(start), !tokens[start].hasDigit else { return }
        var end = start + 1
        while end < tokens.count, isOnePiece || !tokens.startsPart(end), !isExplained(end, by: reading) { end += 1 }
        guard end - start <= Self.longestName else { return }
        let range = start..<end
        if known?.range != range {
            let key = Array(tokens.folded(range))
            let rows = key.withUnsafeBufferPointer { gazetteer.towns(called: $0) }.prefix(Self.mostNamesakes)
            known = Surroundings(range: range, key: key, towns: rows.map { gazetteer.places[$0.place] })
        }
        guard let known, !known.towns.isEmpty else { return }
        let others = known.towns.lazy.filter { $0.country == town.country }
        let isCapital = others.contains { $0.region == town.region } && isAlike(known.key, region: town.region)
        let isNear = others.contains {
            $0.population > town.population && $0.coordinate.distance(to: town.coordinate) < Self.around
        }
        guard isCapital || isNear && !isOnePiece else { return }
        reading.region = range
        score += isCapital ? LineScore.ownRegion : LineScore.surroundings
    }

    /// Whether a region's name begins like a town's: `Ivanovskaya oblast` like Ivanovo.
    private func isAlike(_ key: some Sequence<UInt8>, region: UInt16) -> Bool {
        let name = Folding.loose(gazetteer.image.string(at: gazetteer.regions[Int(region)].name))
        return zip(key, name.utf8).prefix { $0 == $1 }.count >= 3
    }

    /// A country that stands in the line by its name is that country, and no town of another one.
    private func named(_ reading: LineReading, _ town: StoredPlace, isMainName: Bool) -> Double {
        guard reading.country == nil else { return 0 }
        let named = countries.filter { $0.weight >= LineScore.fullName }
        guard !named.isEmpty, !named.contains(where: { $0.country.covers(town.country) }) else {
            // Asunción is called Paraguay, too.
            let isCountry = named.contains { mention in
                guard let range = reading.town, range.overlaps(mention.range) else { return false }
                return tokens.parts > 2 || wordsBehindNumber(before: range) != nil
            }
            return isCountry ? isMainName ? LineScore.countryForTown : LineScore.countryForOtherName : 0
        }
        let isRegion = reading.region.map { region in named.contains { region.overlaps($0.range) } } ?? false
        return isRegion ? 0 : LineScore.otherCountry
    }

    /// Whether a name is that of a region, and before it stands a piece that looks like a town we don't know.
    private func isRegionOfUnknownTown(_ range: Range<Int>, _ row: StoredKey, _ mention: CountryMention?) -> Bool {
        guard tokens.startsPart(range.lowerBound), let before = piece(before: range),
            !before.contains(where: { tokens[$0].hasDigit || isStreetWord($0) })
        else { return false }
        let isWhole = tokens.endsPart(range.upperBound - 1)
        // `Steward, IL 60553` is not Il in Kenya.
        if range.count == 1, isWhole || isPostcode(range.upperBound),
            isCodeOfRegion(range.lowerBound, in: mention?.country)
        {
            return true
        }
        guard isWhole else { return false }
        let regions = gazetteerRegions(range).filter { region in
            let country = CountryKey(UInt16(gazetteer.regions[Int(region)].country))
            return mention.map { $0.country.covers(country.value) } ?? RegionCode.strict.contains(country.code)
        }
        let isInside = gazetteerRegions(range).contains(UInt32(gazetteer.places[row.place].region))
        // Before a town that is a region, too, may stand a street: `Jungfernstieg, Hamburg`.
        return isInside && (tokens[before.lowerBound].part > 0 || !row.isMainName) || !isInside && !regions.isEmpty
    }

    /// Without commas: whether a name at the end is that of a region, and before it stand words that are no street's.
    private func isRegionBehindNumber(_ range: Range<Int>, _ mention: CountryMention?) -> Bool {
        guard let mention, endsFreely(range.upperBound - 1, mention), wordsBehindNumber(before: range) != nil else {
            return false
        }
        return gazetteerRegions(range).contains { region in
            mention.country.covers(UInt16(gazetteer.regions[Int(region)].country))
        }
    }

    /// Without commas: the words between a house's number, which stands behind its street, and others. They are a town, or
    /// a part of one: `San Pedro` in `Plaza de España 137 San Pedro Jujuy Argentina`.
    private func wordsBehindNumber(before range: Range<Int>) -> Range<Int>? {
        guard tokens.parts == 1 else { return nil }
        var start = range.lowerBound
        while start > 0, !tokens[start - 1].hasDigit { start -= 1 }
        let words = start..<range.lowerBound
        guard start > 1, !words.isEmpty, words.count <= Self.longestName, !words.contains(where: isStreetWord) else {
            return nil
        }
        return words
    }

    /// The piece between commas that ends before some words.
    private func piece(before range: Range<Int>) -> Range<Int>? {
        guard range.lowerBound > 0 else { return nil }
        var start = range.lowerBound - 1
        while !tokens.startsPart(start) { start -= 1 }
        return start..<range.lowerBound
    }
}

extension LineReading {
    /// The same, where what was taken for the town is the region of another.
    fileprivate func movingTown(to range: Range<Int>?) -> LineReading {
        guard let range, !(postcode?.overlaps(range) ?? false) else { return self }
        var reading = self
        (reading.region, reading.town) = (town, range)
        return reading
    }
}
