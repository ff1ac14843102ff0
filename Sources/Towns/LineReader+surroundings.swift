import Geocoding

extension LineReader {
    /// How far from a town, in metres, a larger town may be that is named to locate it.
    static let around = 80_000.0

    /// The words after a town, and the towns with that name.
    struct Surroundings {
        let range: Range<Int>
        let key: [UInt8]
        let towns: [StoredPlace]
    }

    /// Takes the name of another town after a town. It may be a larger one nearby, `Waikanae, Wellington`, or the one
    /// that gave the region its name: `Kineshma, Ivanovo`. Without commas it must be the latter.
    func takeSurroundings(
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

    /// Returns whether the names of a region and a town begin alike: `Ivanovskaya oblast` and Ivanovo.
    private func isAlike(_ key: some Sequence<UInt8>, region: UInt16) -> Bool {
        zip(key, gazetteer.image.text(at: gazetteer.regions[Int(region)].nameKey)).prefix { $0 == $1 }.count >= 3
    }

    /// Points against a reading that takes the full name of a country for anything but that country.
    func named(_ reading: LineReading, _ town: StoredPlace, isMainName: Bool) -> Double {
        guard reading.country == nil else { return 0 }
        let named = countries.filter { $0.weight >= LineScore.fullName }
        guard !named.isEmpty, !named.contains(where: { $0.country.covers(town.country) }) else {
            // A line that names a country names a town in it: `Some Village, Mexico` is not Mexico City. A few countries
            // are towns.
            let isCountry = named.contains { mention in
                guard let range = reading.town, range.overlaps(mention.range) else { return false }
                return (0..<tokens.count).contains { !isExplained($0, by: reading) }
            }
            let isTown = isMainName && LineScore.cityStates.contains(CountryKey(town.country))
            return isCountry ? isTown ? LineScore.cityState : LineScore.countryForTown : 0
        }
        let isRegion = reading.region.map { region in named.contains { region.overlaps($0.range) } } ?? false
        return isRegion ? 0 : LineScore.otherCountry
    }
}
