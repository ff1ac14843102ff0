import Geocoding

extension LineReader {
    /// Parses a line in Chinese or Japanese letters, which goes from large to small without spaces:
    /// `〒100-0005 東京都千代田区丸の内1-9-1`. Nil if there is none, or no region and town in it are known.
    func eastAsianAddress() -> Address? {
        guard
            let index = (0..<tokens.count).first(where: {
                tokens.isEastAsian($0) && isChinese(tokens.text($0..<($0 + 1)))
            })
        else { return nil }
        let written = Array(tokens.text(index..<(index + 1)))
        let name = countryName(before: written)
        var units: [Unit] = []
        var start = name?.count ?? 0
        while units.count < 4, let unit = unit(of: written, from: start, within: units) {
            units.append(unit)
            start = unit.range.upperBound
        }
        guard let town = units.last(where: { !$0.places.isEmpty }) ?? units.dropFirst().first,
            units.contains(where: { !$0.regions.isEmpty || !$0.places.isEmpty })
        else { return nil }
        let code = postcodes.first { !$0.range.contains(index) }
        let mention = countries.first { !$0.range.contains(index) }
        let others = ((index + 1)..<tokens.count).filter {
            !(code?.range.contains($0) ?? false) && !(mention?.range.contains($0) ?? false)
        }
        let street = [String(written[town.range.upperBound...]), tokens.text(others)].filter { !$0.isEmpty }
        let region = units.first { !$0.regions.isEmpty && $0.range != town.range }
        return Address(
            street: street.joined(separator: " "), city: String(written[town.range].prefix(town.length)),
            region: region.map { String(written[$0.range]) } ?? "", postcode: code.map { tokens.text($0.range) } ?? "",
            country: mention.map { tokens.text($0.range) } ?? name ?? "")
    }

    /// A part of the line that ends in a word for a kind of region or town.
    private struct Unit {
        let range: Range<Int>
        var regions: [UInt32] = []
        /// The towns with this name in the units before, and the length of that name.
        var places: [StoredPlace] = []
        var length = 0
    }

    /// The words for kinds of regions and towns with which a name ends.
    private static let kinds = Set("省市县縣区區都道府県郡町村镇鎮乡鄉州盟旗")
    private static let longestUnit = 10
    /// How far a district is from its town at most, in metres.
    private static let within = 40_000.0

    /// The next unit: the longest region at the start, or the shortest known town, or else the shortest unit.
    private func unit(
        of text: [Character], from start: Int, within units: [Unit], kinds: Set<Character> = kinds
    ) -> Unit? {
        var shortest: Unit?
        var region: Unit?
        for end in start..<min(start + Self.longestUnit, text.count)
        // 杭州 is not a 州.
        where end > start && kinds.contains(text[end]) && (text[end] != "州" || text[end - 1] == "治") {
            var unit = Unit(range: start..<(end + 1), length: end + 1 - start)
            // `大阪市` is 大阪 too, but 岐阜県 is not 岐阜.
            for end in [end + 1, end] where unit.places.isEmpty && unit.regions.isEmpty && end > start + 1 {
                let key = Array(Folding.loose(String(text[start..<end])).utf8)
                if units.isEmpty {
                    unit.regions = key.withUnsafeBufferPointer { gazetteer.regions(called: $0).map(\.row) }
                }
                unit.places = key.withUnsafeBufferPointer { gazetteer.towns(called: $0) }
                    .map { gazetteer.places[$0.place] }.filter { isInside($0, units) }
                if !unit.places.isEmpty { unit.length = end - start }
            }
            if !unit.regions.isEmpty {
                region = unit
            } else if !unit.places.isEmpty, region == nil {
                return unit
            }
            shortest = shortest ?? unit
        }
        return region ?? shortest
    }

    /// Returns whether a town is in the region, and near the town, that the units before it name.
    private func isInside(_ town: StoredPlace, _ units: [Unit]) -> Bool {
        if let regions = units.first?.regions, !regions.isEmpty, !regions.contains(UInt32(town.region)) { return false }
        guard let around = units.last(where: { !$0.places.isEmpty }) else { return town.population > 0 }
        return around.places.contains { $0.coordinate.distance(to: town.coordinate) < Self.within }
    }

    /// Parses a line in Korean letters, whose words go from large to small: `전라남도 목포시 양을로 203`. Nil if there is none, or
    /// no town in it is known.
    func koreanAddress() -> Address? {
        guard
            var first = (0..<tokens.count).first(where: {
                tokens.isEastAsian($0) && Self.koreanKinds.contains(tokens.text($0..<($0 + 1)).last ?? " ")
            })
        else { return nil }
        var units: [Unit] = []
        // `서울 강남구`
        if first > 0,
            var unit = unit(
                of: Array(tokens.text((first - 1)..<first) + "시"), from: 0, within: [], kinds: Self.koreanKinds),
            !unit.places.isEmpty
        {
            unit.length = min(unit.length, unit.range.count - 1)
            units.append(unit)
            first -= 1
        }
        for index in (first + units.count)..<tokens.count {
            let text = Array(tokens.text(index..<(index + 1)))
            guard text.count > 1, let kind = text.last, Self.koreanKinds.contains(kind),
                let unit = unit(of: text, from: 0, within: units, kinds: Self.koreanKinds)
            else { break }
            units.append(unit)
        }
        guard let town = units.lastIndex(where: { !$0.places.isEmpty }) else { return nil }
        let code = postcodes.first {
            ($0.range.upperBound <= first || $0.range.lowerBound > first + town)
                && PostcodeShape.fits($0.key, in: CountryKey("KR"))
        }
        let mention = countries.first { $0.range.lowerBound > first + town || $0.range.upperBound <= first }
        let street = ((first + town + 1)..<tokens.count).filter {
            !(code?.range.contains($0) ?? false) && !(mention?.range.contains($0) ?? false)
        }
        let city = tokens.text((first + town)..<(first + town + 1))
        return Address(
            street: tokens.text(street), city: String(city.prefix(units[town].length)),
            region: town > 0 ? tokens.text(first..<(first + 1)) : "",
            postcode: code.map { tokens.text($0.range) } ?? "",
            country: mention.map { tokens.text($0.range) } ?? "")
    }

    private static let koreanKinds = Set("도시군구읍면")

    /// `中国` in `中国安徽省合肥市`
    private func countryName(before text: [Character]) -> String? {
        (2...7).reversed().lazy.map { String(text.prefix($0)) }.first { Country.meant(by: $0) != nil }
    }

    /// True if the text has enough Chinese letters for a region and a town.
    private func isChinese(_ text: String) -> Bool {
        text.utf8.count > 11 && text.unicodeScalars.count(where: { (0x4E00...0x9FFF).contains($0.value) }) > 3
    }
}
