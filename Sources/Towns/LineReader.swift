package import Geocoding

extension Gazetteer {
    /// Parses an address that was written on one line, with or without commas.
    ///
    /// If a line is ambiguous, the reading with existing places wins: `Richmond, VA` is a town of Virginia, not of the
    /// Vatican. The fields keep the original text, so the address has the same hash as one in columns. `country` is the
    /// probable country of a line that names none; it is not part of the result.
    package func read(line: String, country: String = "") -> Address {
        let reader = LineReader(line, in: self, hint: Country.meant(by: country).map { CountryKey($0.code) })
        return reader.address()
    }
}

/// Tries all readings of a line and finds the best.
struct LineReader {
    let gazetteer: Gazetteer
    let tokens: LineTokens
    let hint: CountryKey?
    private(set) var countries: [CountryMention] = []
    private(set) var postcodes: [PostcodeMention] = []

    /// A place in the line where a country is named.
    struct CountryMention {
        let range: Range<Int>
        let country: CountryKey
        /// Names weigh more than codes of two letters.
        let weight: Double
        /// The words after the country are not part of the address.
        var isBeforeNotes = false
    }

    /// A possible postcode in the line, and the places that have it.
    struct PostcodeMention {
        let range: Range<Int>
        let key: [UInt8]
        let rows: [Int]
        /// The country of a prefix before the number: `D-80331`.
        let signed: CountryKey?
    }

    init(_ line: String, in gazetteer: Gazetteer, hint: CountryKey?) {
        self.gazetteer = gazetteer
        self.hint = hint
        tokens = LineTokens(line)
        countries = countryMentions()
        postcodes = postcodeMentions()
    }

    /// True if the line is only `n/a` or `home address`.
    private var isFiller: Bool {
        guard tokens.count < 6 else { return false }
        let text = String(decoding: tokens.folded(0..<tokens.count), as: UTF8.self)
        return Fillers.meansNothing(text) || Fillers.isLabel(text)
    }

    func address() -> Address {
        guard tokens.count > 0, !isFiller else { return Address() }
        if let address = eastAsianAddress() ?? koreanAddress() { return address }
        let readings = (countries.map(Optional.some) + [nil]).map { best(in: $0) }
        var likeliest = readings.max { $0.score < $1.score } ?? LineReading(country: nil)
        if let town = likeliest.town, let mention = likeliest.country, !tokens.isWhole(town),
            likeliest.score < mention.weight + (tokens.parts > 1 ? LineScore.least : LineScore.leastWithoutCommas)
        {
            likeliest = LineReading(country: mention)
        }
        return fields(of: likeliest.town == nil ? guessed(likeliest) : withCodesBehindTown(likeliest))
    }
}

/// One reading of a line: the roles of its words.
struct LineReading {
    var country: LineReader.CountryMention?
    var postcode: Range<Int>?
    var town: Range<Int>?
    var region: Range<Int>?
    /// True if the postcode belongs to the town.
    var isNearPostcode = false
    var score = 0.0
}

extension LineReader {
    /// Finds the country at the end or the start of the line.
    private func countryMentions() -> [CountryMention] {
        var mentions: [CountryMention] = []
        let end = tokens.count
        for length in 1...6 where length < end || end == 1 && length == 1 {
            let range = (end - length)..<end
            // `Korea, South`
            let pieces = tokens[end - 1].part - tokens[range.lowerBound].part
            guard pieces < 2 else { break }
            if pieces == 1, !tokens.startsPart(range.lowerBound) { continue }
            if let mention = country(at: range) { mentions.append(mention) }
        }
        // `Singapore 018956`, and `Россия, Москва, …`
        if mentions.isEmpty, end > 1 {
            let last = tokens.tokens.lastIndex { !$0.hasDigit } ?? 0
            if last < end - 1, last > 0, let mention = country(at: last..<(last + 1)) { mentions.append(mention) }
            let first = tokens.tokens.firstIndex { $0.part > 0 } ?? 0
            if first > 0, let mention = country(at: 0..<first) { mentions.append(mention) }
        }
        if mentions.isEmpty, let mention = countryBeforeNotes() { mentions.append(mention) }
        if mentions.isEmpty, let mention = mistypedCountry() { mentions.append(mention) }
        // The longer name is preferred: `Papua New Guinea`.
        return mentions.sorted { $0.range.count > $1.range.count }
    }

    /// The last piece but the first that is the full name of a country: `Dublin, Ireland, call before visiting`
    private func countryBeforeNotes() -> CountryMention? {
        var end = tokens.count
        while end > 0, tokens[end - 1].part > 0 {
            var start = end - 1
            while !tokens.startsPart(start) { start -= 1 }
            if end < tokens.count, var mention = country(at: start..<end), mention.weight >= LineScore.countryByName {
                mention.isBeforeNotes = true
                return mention
            }
            end = start
        }
        return nil
    }

    /// The last piece, if it is one typo away from a country and is not a town or region.
    private func mistypedCountry() -> CountryMention? {
        let end = tokens.count
        guard tokens.parts > 1, let first = tokens.tokens.lastIndex(where: { $0.part < tokens[end - 1].part }) else {
            return nil
        }
        let range = (first + 1)..<end
        let key = tokens.folded(range)
        guard key.count >= 5, !range.contains(where: { tokens[$0].hasDigit || tokens[$0].isStreet }) else { return nil }
        let isPlace = key.withUnsafeBufferPointer {
            !gazetteer.towns(called: $0).isEmpty || !gazetteer.regions(called: $0).isEmpty
        }
        guard !isPlace, let code = CountrySpelling.country(like: tokens.text(range)) else { return nil }
        return CountryMention(range: range, country: CountryKey(code), weight: LineScore.mistypedCountry)
    }

    private func country(at range: Range<Int>) -> CountryMention? {
        let folded = tokens.folded(range)
        // Only letters, and not a short word such as `no` inside a piece.
        guard folded.count > 1, !range.contains(where: { tokens[$0].hasDigit }) else { return nil }
        let isShort = folded.count <= 3
        if isShort, !tokens[range.lowerBound].isUpper, !tokens.isWhole(range) { return nil }
        guard let country = Country.meant(by: tokens.text(range)) else { return nil }
        let weight =
            switch folded.count {
            case 2 where !folded.elementsEqual(country.code.lowercased().utf8) && tokens.isWhole(range):
                LineScore.countryByName
            case 2: LineScore.countryOfTwoLetters
            case 3: LineScore.countryOfThreeLetters
            default: tokens.isWhole(range) ? LineScore.countryByNameAlone : LineScore.countryByName
            }
        return CountryMention(range: range, country: CountryKey(country.code), weight: weight)
    }

    /// One or two words with a digit that look like a postcode, or are a known one.
    private func postcodeMentions() -> [PostcodeMention] {
        var mentions: [PostcodeMention] = []
        for index in 0..<tokens.count {
            for length in [2, 1] where index + length <= tokens.count {
                let range = index..<(index + length)
                guard range.contains(where: { tokens[$0].hasDigit }),
                    tokens[index].part == tokens[range.upperBound - 1].part
                else { continue }
                if let mention = postcode(at: range) { mentions.append(mention) }
            }
        }
        return mentions
    }

    /// The numbers of digits before and after the hyphen of a postcode: `00-950`, `100-0001`, `12345-6789`.
    private static let halves: Set<[Int]> = [[2, 3], [3, 3], [3, 4], [4, 3], [5, 3], [5, 4], [5, 5]]

    private func postcode(at range: Range<Int>) -> PostcodeMention? {
        let text = tokens.text(range)
        // `359/1` is a house number, and `66037. Sokak` a street.
        guard text.utf8.count <= 12, !text.utf8.contains(UInt8(ascii: "/")),
            text.utf8.last != UInt8(ascii: ".") || range.upperBound == tokens.count || !isStreetWord(range.upperBound)
        else { return nil }
        // `SW1A 2AA` and `123 45` are one code, `26 59-51` are two numbers.
        if range.count == 2,
            tokens[range.lowerBound].text.count < 3 && !text.utf8.contains(where: { $0 > 0x40 })
                || text.utf8.contains(UInt8(ascii: "-"))
        {
            return nil
        }
        // `1750-2` is a number in Korea, and `2-13-28` one in Japan.
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        if halves.count > 1, text.utf8.allSatisfy({ $0 < 0x3A }), !Self.halves.contains(halves.map(\.count)) {
            return nil
        }
        var code = gazetteer.postcode(text, in: nil)
        if code.rows.isEmpty, range.count == 2 {
            // `CB7 4` is a part of the area CB7.
            let area = gazetteer.postcode(tokens.text(range.prefix(1)), in: "GB")
            if PostcodeShape.fits(area.key, in: CountryKey("GB")),
                (1...3).contains(tokens[range.upperBound - 1].text.count)
            {
                code.rows = area.rows
            }
        }
        // `NJ 8043` is 08043.
        if range.count == 1, code.key.count == 4, range.lowerBound > 0,
            isCodeOfRegion(range.lowerBound - 1, in: CountryKey("US"))
        {
            code.rows += gazetteer.postcode(text, in: "US").rows
        }
        guard (3...10).contains(code.key.count), code.key.contains(where: { (0x30...0x39).contains($0) }),
            code.key.allSatisfy({ $0 < 0x80 }),
            !code.rows.isEmpty || PostcodeShape.fits(code.key, in: nil)
        else { return nil }
        return PostcodeMention(range: range, key: code.key, rows: code.rows, signed: code.signed)
    }
}
