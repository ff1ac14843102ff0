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
        return best
    }

    private func consider(_ range: Range<Int>, _ mention: CountryMention?, _ best: inout LineReading) {
        let key = tokens.folded(range)
        guard key.count > 1 else { return }
        let rows = key.withUnsafeBufferPointer { gazetteer.towns(called: $0) }
        guard !rows.isEmpty else { return }
        let place = placing(of: range, mention)
        // Most names stand where no town can.
        guard place + 16 > best.score - (mention?.weight ?? 0) else { return }
        let regions = regionsBehind(range, mention)
        let codes = postcodes.filter { !$0.range.overlaps(range) && !(mention?.range.overlaps($0.range) ?? false) }
        for row in rows.prefix(Self.mostNamesakes) {
            let town = gazetteer.places[row.place]
            guard mention?.country.covers(town.country) ?? true else { continue }
            var reading = LineReading(country: mention, town: range)
            var score = (mention?.weight ?? 0) + place + people(town)
            if row.isShortName { score -= 0.5 }
            if let region = region(of: row.place, among: regions) {
                score += 4
                reading.region = region
            }
            if mention == nil, let hint, hint.value == town.country { score += 2 }
            if let (code, worth) = postcode(of: town, among: codes, around: reading) {
                score += worth
                reading.postcode = code.range
            }
            score -= unexplained(reading)
            if score > best.score + 0.000_001 {
                reading.score = score
                best = reading
            }
        }
    }

    /// 2.4 for a village, 5.6 for Tokyo.
    private func people(_ town: StoredPlace) -> Double {
        var magnitude = 0.0
        var rest = Double(town.population) + 1_000
        while rest >= 2 {
            rest /= 2
            magnitude += 1
        }
        return (magnitude + rest - 1) * 0.24
    }

    /// How well the words stand where towns stand: a piece of their own, behind a number, at the end.
    private func placing(of range: Range<Int>, _ mention: CountryMention?) -> Double {
        let (first, last) = (range.lowerBound, range.upperBound - 1)
        var score = 0.6 * Double(range.count - 1)
        let starts = startsFreely(first, mention)
        let ends = endsFreely(last, mention)
        if starts, ends { score += 2 } else if !starts, tokens.parts > 1 { score -= 1 }
        // `Paris Street`, `Rue de Paris 5`
        if !ends, last + 1 < tokens.count {
            let next = tokens[last + 1]
            if isStreetWord(last + 1) || next.hasDigit && !isPostcode(last + 1) { score -= 5 }
        }
        if !starts, tokens[first - 1].hasDigit || isStreetWord(first - 1) { score += 0.7 }
        if range.contains(where: isStreetWord) { score -= range.count == 1 ? 1 : 2 }
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
            // A code is written in capitals.
            guard folded.count > 3 || tokens[start].isUpper else { continue }
            let territory = mention.flatMap { mention in
                Country(tokens.text(range)).flatMap { $0.sovereignCode == mention.country.code ? $0 : nil }
            }
            guard !rows.isEmpty || territory != nil else { continue }
            found.append(RegionMention(range: range, rows: rows, territory: territory.map { CountryKey($0.code) }))
        }
        return found.reversed()
    }

    private func gazetteerRegions(_ range: Range<Int>) -> [UInt32] {
        guard range.upperBound <= tokens.count else { return [] }
        return tokens.folded(range).withUnsafeBufferPointer {
            gazetteer.regions(called: $0).map(\.row)
        }
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
            let isBeside = code.range.upperBound == reading.town?.lowerBound
                || code.range.lowerBound == reading.town?.upperBound
                || code.range.lowerBound == reading.region?.upperBound
            var worth = isBeside ? 1.0 : 0
            let rows = code.rows.filter { gazetteer.postcodes[$0].country == town.country }
            if rows.contains(where: { gazetteer.postcodes[$0].coordinate.distance(to: town.coordinate) < 30_000 }) {
                worth += isBeside || code.key.count > 4 ? 5 : 2
            } else if !rows.isEmpty {
                worth -= 1
            } else if PostcodeShape.fits(code.key, in: CountryKey(town.country)) {
                worth += isBeside || code.key.count > 4 ? 1 : 0
            } else {
                continue
            }
            if let signed = code.signed { worth += signed.value == town.country ? 1 : -3 }
            if worth > best?.1 ?? 0 { best = (code, worth) }
        }
        return best
    }

    /// What stands behind the town and is neither postcode nor region nor country speaks against it.
    private func unexplained(_ reading: LineReading) -> Double {
        guard let town = reading.town else { return 0 }
        var (pieces, words): (Set<Int>, Int) = ([], 0)
        for index in town.upperBound..<tokens.count
        where !isExplained(index, by: reading) {
            words += 1
            pieces.insert(tokens[index].part)
        }
        let isSamePiece = pieces.contains(tokens[town.lowerBound].part)
        return Double(pieces.count) * 1.2 + (isSamePiece ? 1 : 0) + 0.2 * Double(words)
    }

    func isExplained(_ index: Int, by reading: LineReading) -> Bool {
        [reading.country?.range, reading.postcode, reading.region, reading.town]
            .contains { $0?.contains(index) ?? false }
    }
}
