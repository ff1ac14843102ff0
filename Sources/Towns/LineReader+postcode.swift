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
            } else if !rows.isEmpty {
                // The postcode belongs to another town. It is next to this town all the same, so it is taken and makes
                // the town doubtful.
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
}
