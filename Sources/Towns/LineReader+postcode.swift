import Geocoding

extension LineReader {
    /// Considers villages that are known only from their postcode: `Magnolia, DE 19962`.
    func considerTownsOfPostcodes(_ mention: CountryMention?, _ best: inout LineReading) {
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

    /// The position of a name, at most three words away from a postcode.
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

    /// Considers a known postcode of the country, or one after the code of its own region, without a known town:
    /// `Flat 2, SW1A 2AA, UK` and `Unit 5, IL 60601`.
    func considerPostcodes(_ mention: CountryMention?, _ best: inout LineReading) {
        for code in postcodes
        where !(mention?.range.overlaps(code.range) ?? false)
            // A number at the start of a line is a house's.
            && (code.range.lowerBound > 0 || code.range.count + (mention?.range.count ?? 0) == tokens.count)
            && !isHouseNumber(code)
        {
            let rows = code.rows.filter { row in
                let country = CountryKey(gazetteer.postcodes[row].country)
                // Three digits are more often a house number.
                return
                    (mention.map { $0.country == country || code.key.count > 3 && $0.country.covers(country.value) }
                    ?? true)
                    && PostcodeShape.fits(code.key, in: country)
            }
            guard !rows.isEmpty else { continue }
            let isWhole = gazetteer.country(ofWholePostcode: code.key) != nil
            var reading = LineReading(country: mention, postcode: code.range)
            reading.score = (mention?.weight ?? 0) + (mention == nil ? 0 : LineScore.postcodeOfCountry)
            let before = code.range.lowerBound - 1
            if before >= 0, isCodeOfRegion(before, in: mention?.country),
                gazetteerRegions(before..<(before + 1)).contains(where: { region in
                    rows.contains { UInt32(gazetteer.postcodes[$0].region) == region }
                })
            {
                reading.region = before..<(before + 1)
                reading.score += mention == nil ? LineScore.postcodeOfRegion : LineScore.regionOfPostcode
            } else if mention == nil {
                guard isWhole else { continue }
                reading.score = LineScore.postcodeOfCountry
            }
            let isLater = best.postcode.map { $0.lowerBound < code.range.lowerBound } ?? true
            if reading.score > best.score || reading.score == best.score && isLater { best = reading }
        }
    }

    /// Returns whether a short number ends a piece that has a street word, or the first of three pieces or more:
    /// `Av. del Libertador 6200`, `San Martín 6200, San Martín, Argentina`
    func isHouseNumber(_ code: PostcodeMention) -> Bool {
        guard tokens.parts > 1, code.key.count < 6, code.key.allSatisfy({ $0 < 0x3A }), code.signed == nil,
            let piece = piece(before: code.range), !isCodeOfRegion(code.range.lowerBound - 1, in: nil)
        else { return false }
        let part = tokens[code.range.lowerBound].part
        guard tokens.endsPart(code.range.upperBound - 1) else {
            // `Av. Pellegrini 3524 Rosario, Argentina`
            return code.key.count < 5 && part == 0 && piece.contains(where: isStreetWord)
        }
        return tokens[piece.lowerBound].part == part
            && (piece.contains(where: isStreetWord) || part == 0 && tokens.parts > 2 && code.key.count < 5)
    }

    /// The postcode that belongs to a town, and the points that it gives the town.
    func postcode(
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
            } else if !rows.isEmpty, !isHouseNumber(code) {
                // The postcode belongs to another town. It is next to this town all the same, so it is taken and makes
                // the town doubtful.
                worth += reading.country == nil ? LineScore.foreignPostcode : LineScore.foreignPostcodeOfCountry
            } else if PostcodeShape.fits(code.key, in: CountryKey(town.country)), !isHouseNumber(code) {
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
}
