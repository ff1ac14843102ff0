import Geocoding

extension LineReader {
    /// A region that is named after some words.
    struct RegionMention {
        let range: Range<Int>
        let rows: [UInt32]
        /// `PR` in San Juan, PR, USA
        let territory: CountryKey?
    }

    /// The regions named directly after a town; a postcode may come between them.
    func regionsBehind(_ town: Range<Int>, _ mention: CountryMention?) -> [RegionMention] {
        var start = town.upperBound
        if let code = postcodes.first(where: { $0.range.lowerBound == start }) { start = code.range.upperBound }
        var found: [RegionMention] = []
        for length in 1...4 where start + length <= tokens.count {
            let range = start..<(start + length)
            guard tokens[range.upperBound - 1].part == tokens[start].part, !(mention?.range.overlaps(range) ?? false)
            else { break }
            let rows = gazetteerRegions(range)
            let folded = tokens.folded(range)
            // A code must be in capitals, so `Ica` is not a code.
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

    func gazetteerRegions(_ range: Range<Int>) -> [UInt32] {
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

    func region(of place: Int, among mentions: [RegionMention]) -> Range<Int>? {
        let town = gazetteer.places[place]
        return mentions.first {
            $0.rows.contains(UInt32(town.region)) || $0.territory?.value == town.country
        }?.range
    }

    /// Returns whether the name is a region's, and the piece before it looks like an unknown town.
    func isRegionOfUnknownTown(_ range: Range<Int>, _ row: StoredKey, _ mention: CountryMention?) -> Bool {
        guard tokens.startsPart(range.lowerBound), let before = townPiece(before: range),
            !before.contains(where: { tokens[$0].hasDigit || isStreetWord($0) }), !isHouse(before, range),
            !isCorner(before), !(before.count == 1 && isTownWord(before.lowerBound)),
            !countries.contains(where: { $0.range == before })
        else { return false }
        let isWhole = tokens.endsPart(range.upperBound - 1)
        // `Steward, IL 60553` is not Il in Kenya.
        if range.count == 1, isWhole || isPostcode(range.upperBound),
            isCodeOfRegion(range.lowerBound, in: mention?.country)
        {
            return true
        }
        // The piece before a large town is rather a part of it: `Gwanak-gu, Seoul`.
        guard isWhole,
            !(row.isMainName || isMainNameInOtherWords(range, row)) || isNearRegion(range, row)
                || gazetteer.places[row.place].population < Self.metropolis
        else { return false }
        let regions = gazetteerRegions(range).filter { region in
            let country = CountryKey(UInt16(gazetteer.regions[Int(region)].country))
            return mention.map { $0.country.covers(country.value) } ?? RegionCode.strict.contains(country.code)
        }
        return !regions.isEmpty || gazetteerRegions(range).contains(UInt32(gazetteer.places[row.place].region))
    }

    /// Returns whether another region of the country has the name of a metropolis too: the province of Buenos Aires,
    /// which the city is not in.
    private func isNearRegion(_ range: Range<Int>, _ row: StoredKey) -> Bool {
        let place = gazetteer.places[row.place]
        return gazetteerRegions(range).contains { region in
            region != UInt32(place.region) && gazetteer.regions[Int(region)].country == UInt32(place.country)
        }
    }

    /// Returns whether the words are the town's main name but for spaces: Hà Nội is Hanoi.
    private func isMainNameInOtherWords(_ range: Range<Int>, _ row: StoredKey) -> Bool {
        let name = Folding.loose(gazetteer.image.string(at: gazetteer.places[row.place].name))
        let space = UInt8(ascii: " ")
        return name.utf8.filter { $0 != space }.elementsEqual(tokens.folded(range).filter { $0 != space })
    }

    /// Returns whether a piece is two streets that meet: `España y Montevideo`.
    func isCorner(_ words: Range<Int>) -> Bool {
        tokens.parts > 1 && tokens[words.lowerBound].part == 0
            && words.dropFirst().dropLast().contains { Self.corners.contains(Array(tokens.folded($0..<($0 + 1)))) }
    }

    private static let corners = Set(["y", "e", "esq", "esquina", "and", "corner", "entre"].map { Array($0.utf8) })

    /// Returns whether the piece before a town has a house number, which may be like a postcode: `Ekimae-dori 170, Gifu`.
    private func isHouse(_ words: Range<Int>, _ town: Range<Int>) -> Bool {
        guard tokens[words.lowerBound].part == 0 else { return false }
        return words.upperBound < town.lowerBound
            || words.lowerBound > 0 && !postcodes.contains { $0.range == 0..<words.lowerBound && $0.key.count > 3 }
    }

    /// Returns whether a longer name of a region begins with these words: `Zamora` in `Zamora Chinchipe`.
    func beginsRegion(_ range: Range<Int>, _ mention: CountryMention?) -> Bool {
        guard tokens.startsPart(range.lowerBound) else { return false }
        for length in (range.count + 1)...(range.count + 2) where range.lowerBound + length <= tokens.count {
            let longer = range.lowerBound..<(range.lowerBound + length)
            guard tokens[longer.upperBound - 1].part == tokens[longer.lowerBound].part else { break }
            let isRegion = gazetteerRegions(longer).contains { region in
                mention?.country.covers(UInt16(gazetteer.regions[Int(region)].country)) ?? true
            }
            if isRegion { return true }
        }
        return false
    }

    /// Returns whether a longer name of a region ends with these words: `Timur` in `Kalimantan Timur`.
    func endsRegion(_ range: Range<Int>) -> Bool {
        for start in [range.lowerBound - 1, range.lowerBound - 2]
        where start >= 0 && tokens[start].part == tokens[range.lowerBound].part && !tokens[start].hasKind {
            let rows = tokens.folded(start..<range.upperBound).withUnsafeBufferPointer { gazetteer.regions(called: $0) }
            if !rows.isEmpty { return true }
        }
        return false
    }

    static let metropolis = 1_000_000

    /// The piece before these words, without a postcode: `Beranang` in `71750 Beranang, Selangor`
    func townPiece(before range: Range<Int>) -> Range<Int>? {
        guard var piece = piece(before: range) else { return nil }
        for code in postcodes where code.range.overlaps(piece) && code.range != piece {
            if code.range.lowerBound == piece.lowerBound { piece = code.range.upperBound..<piece.upperBound }
            if code.range.upperBound == piece.upperBound {
                piece = piece.lowerBound..<max(piece.lowerBound, code.range.lowerBound)
            }
        }
        return piece.isEmpty ? nil : piece
    }

    /// For lines without commas. Returns whether the name at the end is a region's, and the words before it are not a
    /// street.
    func isRegionBehindNumber(_ range: Range<Int>, _ mention: CountryMention?) -> Bool {
        guard let mention, endsFreely(range.upperBound - 1, mention), wordsBehindNumber(before: range) != nil else {
            return false
        }
        return gazetteerRegions(range).contains { region in
            mention.country.covers(UInt16(gazetteer.regions[Int(region)].country))
        }
    }

    /// For lines without commas: the words between a house number that follows its street and `range`. They are a town,
    /// or a part of one: `San Pedro` in `Plaza de España 137 San Pedro Jujuy Argentina`.
    func wordsBehindNumber(before range: Range<Int>) -> Range<Int>? {
        // A country may be a piece of its own.
        let isOnePiece = countries.contains {
            $0.range.upperBound == tokens.count && tokens[range.lowerBound].part == 0
                && tokens[$0.range.lowerBound].part == 1
        }
        guard tokens.parts == 1 || isOnePiece && tokens.parts == 2 else { return nil }
        var start = range.lowerBound
        while start > 0, !tokens[start - 1].hasDigit, !isStreetWord(start - 1) { start -= 1 }
        // The name of a street follows `rue`.
        if start > 0, start < 3, isStreetWord(start - 1) { return nil }
        let words = start..<range.lowerBound
        guard start > 1, !words.isEmpty, words.count <= Self.longestName, !words.contains(where: isStreetWord) else {
            return nil
        }
        return words
    }

    /// The piece between commas in which a word is.
    func piece(around index: Int) -> Range<Int> {
        var (start, end) = (index, index + 1)
        while !tokens.startsPart(start) { start -= 1 }
        while !tokens.endsPart(end - 1) { end += 1 }
        return start..<end
    }

    /// The piece between commas that ends directly before these words.
    func piece(before range: Range<Int>) -> Range<Int>? {
        guard range.lowerBound > 0 else { return nil }
        var start = range.lowerBound - 1
        while !tokens.startsPart(start) { start -= 1 }
        return start..<range.lowerBound
    }
}

extension LineReading {
    /// The same reading with the assumed town as the region, and the words of `range` as the town.
    func movingTown(to range: Range<Int>?) -> LineReading {
        guard let range, !(postcode?.overlaps(range) ?? false) else { return self }
        var reading = self
        (reading.region, reading.town) = (town, range)
        return reading
    }
}
