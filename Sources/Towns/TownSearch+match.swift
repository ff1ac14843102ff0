import Geocoding

/// A town whose name equals the searched one, or is similar to it.
struct TownMatch {
    let place: Int
    /// How many people may mean this town.
    var weight: Double
    /// 1 for the exact name.
    var likeness: Double
    /// True for one of the town's full names: not for a typo or a shortened name.
    var isExact: Bool
    /// The name that is one typo away, with capitals; nil for the exact name.
    var spelling: String?
    /// Only postcodes name it.
    var isOfPostcode = false
    /// Its name stands before a separator: `Brno - Ponava`.
    var isPiece = false
    /// The searched name is its main one.
    var isMain = true
}

extension TownSearch {
    /// The towns with this name; only those of the region, if there are any.
    func towns(called key: [UInt8]) -> [TownMatch] {
        let rows = key.withUnsafeBufferPointer { gazetteer.towns(called: $0) }
        return inRegion(withExactLettersFirst(rows.compactMap { match($0, likeness: 1) }, called: key)) ?? []
    }

    /// The same towns, with less weight for those whose name has other accents than the address if one has exactly its
    /// letters: Munster in Germany is not Münster.
    private func withExactLettersFirst(_ towns: [TownMatch], called key: [UInt8]) -> [TownMatch] {
        // Equal names share one text in the image.
        guard let first = towns.first, sought.country != nil,
            towns.contains(where: { gazetteer.places[$0.place].name != gazetteer.places[first.place].name })
        else { return towns }
        let written = Folding.canonical(address.city)
        let names = towns.map { Folding.canonical(name(of: $0)) }
        guard names.contains(written) else { return towns }
        return zip(towns, names).map { town, name in
            var town = town
            if name != written, Folding.loose(name).utf8.elementsEqual(key) { town.weight /= Self.otherLetters }
            return town
        }
    }

    /// How much less likely a town with other accents is.
    private static let otherLetters = 25.0

    /// The towns with the shortened name. They are doubtful unless the rest of the name fits their region or country.
    func towns(called beginning: CitySpelling.Beginning) -> [TownMatch] {
        let rest = Folding.loose(beginning.rest)
        let country = Country(beginning.rest).map { CountryKey($0.code) }
        return towns(called: Array(beginning.name.utf8)).map { town in
            let place = gazetteer.places[town.place]
            let code = RegionCode.code(rest, in: CountryKey(place.country).code).map { Array($0.utf8) } ?? []
            if country?.covers(place.country) ?? false
                || gazetteer.isRegion(Array(rest.utf8), code, ofPlace: town.place)
            {
                return town
            }
            var town = town
            town.isExact = false
            if beginning.isPiece {
                town.isPiece = true
                town.likeness *= CitySpelling.ofPiece
                return town
            }
            town.likeness *= CitySpelling.isPlacing(rest) ? 0.9 : CitySpelling.ofPart
            return town
        }
    }

    /// The towns whose names are one typo away. If the postcode is known, only towns near it.
    func towns(like key: [UInt8], near codes: [Int]) -> [TownMatch] {
        guard key.count >= 4, key.count <= 60, !key.contains(where: { (0x30...0x39).contains($0) }) else { return [] }
        var found: [Int: TownMatch] = [:]
        Typos.forEach(of: key) { spelling in
            // A small town with a short name, or a name with another first letter, is more often another town.
            let isAlike = spelling.first == key.first
            for row in gazetteer.towns(called: spelling) {
                let isKnown =
                    isAlike && (key.count > Self.shortest || gazetteer.places[row.place].population > Self.large)
                guard var match = match(row, likeness: isKnown ? 0.96 : 0.85), !row.isShortName,
                    !row.isPostcodeName || codes.isEmpty
                else { continue }
                match.spelling = String(decoding: spelling, as: UTF8.self).withCapitals
                if found[match.place].map({ $0.weight < match.weight }) ?? true { found[match.place] = match }
            }
        }
        var towns = found.values.sorted { ($0.weight, $0.place) > ($1.weight, $1.place) }
        if !codes.isEmpty {
            towns.removeAll { town in
                let here = gazetteer.places[town.place].coordinate
                return !codes.contains {
                    gazetteer.postcodes[$0].coordinate.distance(to: here) < Self.near || isOfTown(row: $0, town)
                }
            }
        }
        return inRegion(towns, isGuess: true) ?? []
    }

    /// A shorter name that differs in a letter is rather another small town.
    private static let shortest = 4

    private func match(_ row: StoredKey, likeness: Double) -> TownMatch? {
        let place = gazetteer.places[row.place]
        if let country = sought.country, !country.covers(place.country) { return nil }
        let people = Double(place.population) + 500
        let weight = row.isMainName ? people : people * (row.isShortName ? 0.3 : 0.6)
        return TownMatch(
            place: row.place, weight: weight, likeness: row.isShortName ? likeness * 0.95 : likeness,
            isExact: likeness == 1 && !row.isShortName, isOfPostcode: row.isPostcodeName, isMain: row.isMainName)
    }

    /// The towns in the region. If there are none although the region is known, all towns with a lower likeness.
    private func inRegion(_ towns: [TownMatch], isGuess: Bool = false) -> [TownMatch]? {
        guard !sought.region.isEmpty else { return towns }
        let inside = towns.filter { isInRegion($0) }
        guard inside.isEmpty else { return inside }
        let isKnown =
            sought.country.map { gazetteer.knowsRegion(sought.region, in: $0) }
            ?? gazetteer.knowsRegion(String(decoding: sought.region, as: UTF8.self))
        guard isKnown || sought.country.map({ RegionCode.strict.contains($0.code) }) ?? false else { return towns }
        if isGuess, isKnown { return nil }
        return towns.map { town in
            var town = town
            town.likeness *= isKnown ? 0.5 : 0.9
            return town
        }
    }

    func isInRegion(_ town: TownMatch) -> Bool {
        gazetteer.isRegion(sought.region, sought.regionCode, ofPlace: town.place)
    }
}

extension String {
    /// `new york` as `New York`
    fileprivate var withCapitals: String {
        split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}
