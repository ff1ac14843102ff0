package import Geocoding

extension Gazetteer {
    /// Returns the places that the town of each address surely means, once for each of their names: Wrocław for
    /// `Breslau`, Aalen and Ebnat for `Aalen-Ebnat`.
    ///
    /// One pass over all names serves all addresses. It takes some milliseconds.
    package func otherTowns(of addresses: [Address]) -> [[Placemark]] {
        let meant = addresses.map(townsMeant)
        guard meant.contains(where: { !$0.isEmpty }) else { return addresses.map { _ in [] } }
        var isMeant = [Bool](repeating: false, count: image.count(of: .places))
        for place in meant.joined() { isMeant[place] = true }
        var keys: [Int: Set<UInt32>] = [:]
        let rows = image.pointer(to: .names, as: StoredKey.self)
        for index in 0..<image.count(of: .names) where isMeant[rows[index].place] {
            keys[rows[index].place, default: []].insert(rows[index].key)
        }
        return meant.map { places in
            places.sorted().flatMap { place -> [Placemark] in
                let position = self.places[place].coordinate
                let here = Coordinate(latitude: position.latitude, longitude: position.longitude)
                return keys[place, default: []].sorted().compactMap { key in
                    here.map { Placemark(coordinate: $0, locality: image.string(at: key)) }
                }
            }
        }
    }

    private func townsMeant(by address: Address) -> Set<Int> {
        guard let country = Country.meant(by: address.country) else { return [] }
        let whole = sureTowns(of: address, country)
        if !whole.isEmpty { return whole }
        let words = words(of: address.city, isHyphenSign: Self.hyphenated.contains(country.code))
        for end in words.indices.dropFirst().reversed() {
            let (town, part) = (words[..<end].map(\.text), words[end...].map(\.text))
            let towns = rows(called: town.joined(separator: " "), country)
            guard !towns.isEmpty else { continue }
            let parts = rows(called: part.joined(separator: " "), country)
            let near = towns.filter { town in parts.contains { distance(town, $0) < Self.partReach } }
            if let first = near.first {
                guard near.allSatisfy({ distance($0, first) < TownSearch.same }) else { return [] }
                // A place with more people is rather a neighbour than a part.
                let inside = parts.filter {
                    distance(first, $0) < Self.partReach && self.places[$0].population <= self.places[first].population
                }
                return Set(near + inside)
            }
            var alone = address
            alone.city = town.joined(separator: " ")
            let sure = sureTowns(of: alone, country, byPostcode: !words[end].isMarked)
            if !sure.isEmpty { return sure }
        }
        return []
    }

    /// How far a part of a town is from its middle at most, in metres.
    private static let partReach = 20_000.0
    /// Countries where people write a part of a town behind a hyphen. Elsewhere a hyphen is within names.
    private static let hyphenated: Set = ["DE", "AT", "CH", "LI"]

    /// The rows of the town that an address surely means; with `byPostcode`, only if its postcode confirms that.
    private func sureTowns(of address: Address, _ country: Country, byPostcode: Bool = false) -> Set<Int> {
        guard !byPostcode || !address.postcode.isEmpty, let best = search(address).first,
            !byPostcode || best.placemark.postalCode != nil,
            Confidence(of: best, for: address).value >= Thresholds().located
        else { return [] }
        let found = best.placemark
        let here = Position(latitude: found.coordinate.latitude, longitude: found.coordinate.longitude)
        let names = Set([address.city, found.locality, found.name].compactMap { $0.map(Folding.loose) })
        return Set(
            names.flatMap { rows(called: $0, country) }.filter {
                places[$0].coordinate.distance(to: here) < TownSearch.near
            })
    }

    private func rows(called key: String, _ country: Country) -> [Int] {
        let covered = CountryKey(country.code)
        return Array(key.utf8).withUnsafeBufferPointer { towns(called: $0) }
            .filter { !$0.isShortName && covered.covers(places[$0.place].country) }.map(\.place)
    }

    private func distance(_ one: Int, _ other: Int) -> Double {
        places[one].coordinate.distance(to: places[other].coordinate)
    }

    /// The words of a town's name in loose form, each with whether a sign or a word for a part stands before it.
    private func words(of name: String, isHyphenSign: Bool) -> [(text: String, isMarked: Bool)] {
        let sections = name.replacing(" - ", with: ",").split { ",;/()".contains($0) || isHyphenSign && $0 == "-" }
        return sections.enumerated().flatMap { number, section -> [(text: String, isMarked: Bool)] in
            var isMarked = number > 0
            return Folding.loose(String(section)).split(separator: " ").compactMap { word in
                if ["ot", "ortsteil", "stadtteil"].contains(word) {
                    isMarked = true
                    return nil
                }
                defer { isMarked = false }
                return (String(word), isMarked)
            }
        }
    }
}
