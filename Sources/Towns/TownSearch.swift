package import Geocoding

extension Gazetteer {
    /// What is known of an address: its postcode, or the town, at most five places and the likeliest first.
    package func search(_ address: Address) -> [Candidate] {
        let sought = SoughtTown(address, in: self)
        guard !sought.isNowhere else { return [] }
        return TownSearch(gazetteer: self, address: address, sought: sought).candidates()
    }
}

/// One look into the gazetteer.
struct TownSearch {
    let gazetteer: Gazetteer
    let address: Address
    let sought: SoughtTown

    /// So near to a town lies the area of its postcodes.
    static let near = 25_000.0
    /// No postcode's area is wider than this.
    static let widest = 150_000.0
    /// Farther from its town, the middle of a postcode is no better than the town's.
    static let seat = 6_000.0
    /// So near to each other, two towns of one name are one.
    static let same = 12_000.0
    /// How many are told at most.
    static let most = 5

    func candidates() -> [Candidate] {
        let codes = postcodeRows
        if sought.city.isEmpty, !codes.isEmpty { return postcodes(codes, isTownUnknown: true) }
        // Most are spelt as everybody spells them.
        if let row = row(of: sought.city, among: codes) {
            return [place(ofPostcode: row, key: sought.city)].compactMap(\.self)
        }
        var towns = towns(called: sought.city)
        if towns.isEmpty {
            let spelling = CitySpelling(address)
            for name in spelling.names.dropFirst(sought.city.isEmpty ? 0 : 1) {
                let key = Array(name.utf8)
                if let row = row(of: key, among: codes) {
                    return [place(ofPostcode: row, key: key)].compactMap(\.self)
                }
                towns = self.towns(called: key)
                if !towns.isEmpty { break }
            }
            if towns.isEmpty { towns = self.towns(like: sought.city, near: codes) }
            for beginning in spelling.beginnings where towns.isEmpty { towns = self.towns(called: beginning) }
        }
        guard !towns.isEmpty else { return postcodes(codes, isTownUnknown: true) }
        return settle(towns, codes)
    }

    /// Holds the towns of a name against the postcode.
    private func settle(_ towns: [TownMatch], _ all: [Int]) -> [Candidate] {
        var towns = towns
        var codes = all
        if sought.country == nil, !sought.postcodeKey.isEmpty {
            // The same number is another country's postcode: that says nothing against a town.
            let countries = Set(towns.map { gazetteer.places[$0.place].country })
            codes = all.filter { countries.contains(gazetteer.postcodes[$0].country) }
            for index in towns.indices
            where !PostcodeShape.fits(sought.postcodeKey, in: CountryKey(gazetteer.places[towns[index].place].country))
            {
                towns[index].weight /= 20
            }
        }
        guard !codes.isEmpty else { return shares(of: towns) }
        let nearest = towns.flatMap { town in
            codes.map { row in
                (town, row, gazetteer.places[town.place].coordinate.distance(to: gazetteer.postcodes[row].coordinate))
            }
        }.min { $0.2 < $1.2 }
        if let (town, row, distance) = nearest, distance < Self.near {
            let called = town.isExact ? address.city : town.spelling ?? name(of: town)
            if distance > Self.seat { return [candidate(town: town, share: 1, hasPostcode: true)].compactMap(\.self) }
            return [candidate(postcode: row, called: called, likeness: town.likeness)].compactMap(\.self)
        }
        let ofCode = towns.filter { town in codes.contains { isOfTown(row: $0, town) } }
        if let town = ofCode.max(by: { $0.weight < $1.weight }) {
            return [candidate(town: town, share: 1, hasPostcode: true)].compactMap(\.self)
        }
        // One of the two is wrong, and nobody knows which.
        return Array((postcodes(codes, isTownUnknown: false) + shares(of: towns).map { $0.halved }).prefix(Self.most))
    }

    /// The rows of the postcode. Where the country is open, those in the region if there are any: `Paris, TX 75460`.
    private var postcodeRows: [Int] {
        let all = sought.postcodeRows
        guard sought.country == nil, !all.isEmpty, !sought.region.isEmpty else { return all }
        let regions = sought.region.withUnsafeBufferPointer { gazetteer.regions(called: $0) }.map(\.row)
        let inside = all.filter { regions.contains(UInt32(gazetteer.postcodes[$0].region)) }
        return inside.isEmpty ? all : inside
    }

    /// Whether a postcode whose middle lies far away bears the town's name, or lies in the region that does.
    private func isOfTown(row: Int, _ town: TownMatch) -> Bool {
        let (code, place) = (gazetteer.postcodes[row], gazetteer.places[town.place])
        guard code.region == place.region, code.coordinate.distance(to: place.coordinate) < Self.widest else {
            return false
        }
        let key = town.spelling.map { Array(Folding.loose($0).utf8) } ?? sought.city
        let isOfRegion = key.withUnsafeBufferPointer { gazetteer.regions(called: $0) }.contains {
            $0.row == UInt32(place.region)
        }
        func text(_ bytes: some Sequence<UInt8>) -> String {
            String(decoding: bytes.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        }
        return isOfRegion || key.count > 3 && text(code.placeKey(gazetteer)).contains(text(key))
    }

    private func row(of name: [UInt8], among codes: [Int]) -> Int? {
        codes.first { gazetteer.postcodes[$0].placeKey(gazetteer).elementsEqual(name) }
    }

    /// A postcode of the very town. Where its area is wide, its middle is far from where people live.
    private func place(ofPostcode row: Int, key: [UInt8]) -> Candidate? {
        let found = gazetteer.postcodes[row]
        let near = towns(called: key).filter {
            !($0.likeness < 1) && gazetteer.places[$0.place].country == found.country
        }
        .map { ($0, gazetteer.places[$0.place].coordinate.distance(to: found.coordinate)) }
        .filter { town, distance in
            distance < 3 * Self.near
                || distance < Self.widest && gazetteer.places[town.place].region == found.region
        }
        .min { $0.1 < $1.1 }
        if let (town, distance) = near, distance > Self.seat,
            let candidate = candidate(town: town, share: 1, hasPostcode: true)
        {
            return candidate
        }
        return candidate(postcode: row, called: address.city)
    }

    /// A postcode alone. Without a country it may be of many, and is of none.
    private func postcodes(_ rows: [Int], isTownUnknown: Bool) -> [Candidate] {
        guard let first = rows.first else { return [] }
        if sought.country == nil { return [] }
        let center = gazetteer.postcodes[first].coordinate
        let isOne = rows.allSatisfy { gazetteer.postcodes[$0].coordinate.distance(to: center) < Self.near }
        let hasCity = !sought.city.isEmpty
        let isWhole = sought.hasWholePostcode
        return rows.prefix(isOne ? 1 : Self.most).compactMap { row -> Candidate? in
            guard
                var found = candidate(
                    postcode: row, called: nil, likeness: isOne ? 1 : 1 / Double(min(rows.count, Self.most)))
            else { return nil }
            // The village that was asked for may well have this postcode: nothing says that it is another one.
            if hasCity, isTownUnknown {
                found.placemark.locality = nil
                // An area is too wide for that.
                if !isWhole { found.share /= 2 }
            }
            return found
        }
    }

    /// Towns of one name, each with its share of all their people.
    private func shares(of towns: [TownMatch]) -> [Candidate] {
        let all = towns.reduce(0) { $0 + $1.weight }
        let ranked = towns.sorted { $0.weight > $1.weight }
        return ranked.prefix(Self.most).compactMap { town -> Candidate? in
            let here = gazetteer.places[town.place].coordinate
            // A municipality and its seat are told apart by nobody.
            let share = towns.reduce(0) {
                $0 + (gazetteer.places[$1.place].coordinate.distance(to: here) < Self.same ? $1.weight : 0)
            }
            // Who names neither country nor region nor postcode may mean a small town as well as a large one.
            let isBare = sought.country == nil && sought.region.isEmpty && sought.postcodeKey.isEmpty
            return candidate(town: town, share: isBare ? share / all * (share / all) : share / all)
        }
    }
}

/// A town whose name is the one that was asked for, or much like it.
struct TownMatch {
    let place: Int
    /// How many people may mean it.
    var weight: Double
    /// 1 for the very name.
    var likeness: Double
    /// It is one of the town's names, and no typo and no beginning of one.
    var isExact: Bool
    /// Which of its names is a slip of the finger away, with capitals; nil for the very name.
    var spelling: String?
}

extension TownSearch {
    /// The towns that are called so, of the region if any of them lies in it.
    func towns(called key: [UInt8]) -> [TownMatch] {
        let rows = key.withUnsafeBufferPointer { gazetteer.towns(called: $0) }
        return inRegion(rows.compactMap { match($0, likeness: 1) }) ?? []
    }

    /// The towns that are called like the beginning of a name. In doubt, if the rest does not say where they lie.
    private func towns(called beginning: CitySpelling.Beginning) -> [TownMatch] {
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
            town.likeness *= CitySpelling.isPlacing(rest) ? 0.9 : 0.7
            return town
        }
    }

    /// The towns whose names are a slip of the finger away. Where the postcode is known, only those near it.
    private func towns(like key: [UInt8], near codes: [Int]) -> [TownMatch] {
        guard key.count >= 4, key.count <= 60, !key.contains(where: { (0x30...0x39).contains($0) }) else { return [] }
        var found: [Int: TownMatch] = [:]
        Typos.forEach(of: key) { spelling in
            for row in gazetteer.towns(called: spelling) {
                guard var match = match(row, likeness: 0.96), !row.isShortName else { continue }
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

    private func match(_ row: StoredKey, likeness: Double) -> TownMatch? {
        let place = gazetteer.places[row.place]
        if let country = sought.country, !country.covers(place.country) { return nil }
        let people = Double(place.population) + 500
        let weight = row.isMainName ? people : people * (row.isShortName ? 0.3 : 0.6)
        return TownMatch(
            place: row.place, weight: weight, likeness: row.isShortName ? likeness * 0.95 : likeness,
            isExact: likeness == 1 && !row.isShortName)
    }

    /// Those of the region; where there are none though we know the region, all of them in doubt.
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

    private func isInRegion(_ town: TownMatch) -> Bool {
        gazetteer.isRegion(sought.region, sought.regionCode, ofPlace: town.place)
    }
}

extension TownSearch {
    private func name(of town: TownMatch) -> String {
        gazetteer.image.string(at: gazetteer.places[town.place].name)
    }

    private func candidate(town: TownMatch, share: Double, hasPostcode: Bool = false) -> Candidate? {
        let place = gazetteer.places[town.place]
        guard var placemark = placemark(place.coordinate, country: place.country, region: place.region) else {
            return nil
        }
        placemark.locality = name(of: town)
        if hasPostcode { placemark.postalCode = address.postcode }
        if let spelling = town.spelling { placemark.call(spelling) }
        if town.isExact, !sought.city.isEmpty { placemark.call(address.city) }
        return Candidate(placemark, .city, share: share * town.likeness)
    }

    /// `name` is the one under which the place was asked for.
    private func candidate(postcode row: Int, called name: String?, likeness: Double = 1) -> Candidate? {
        let found = gazetteer.postcodes[row]
        guard var placemark = placemark(found.coordinate, country: found.country, region: found.region) else {
            return nil
        }
        placemark.locality = gazetteer.image.string(at: found.place)
        placemark.postalCode = address.postcode
        if let name { placemark.call(name) }
        return Candidate(placemark, .postcode, share: likeness)
    }

    private func placemark(_ position: Position, country: UInt16, region: UInt16) -> Placemark? {
        guard let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude) else {
            return nil
        }
        var placemark = Placemark(coordinate: coordinate)
        placemark.administrativeArea = gazetteer.image.string(at: gazetteer.regions[Int(region)].name)
        placemark.countryCode = CountryKey(country).code
        return placemark
    }
}

extension Placemark {
    /// Gives the place the name by which it was asked for, which is one of its names. Munich is found for München, and who
    /// asked for München should hear of no other town.
    fileprivate mutating func call(_ asked: String) {
        guard let name = locality, Folding.loose(name) != Folding.loose(asked) else { return }
        locality = asked
        self.name = name
    }
}

extension Candidate {
    fileprivate var halved: Candidate {
        var candidate = self
        candidate.share /= 2
        return candidate
    }
}

extension String {
    /// `new york` as `New York`
    fileprivate var withCapitals: String {
        split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}

extension StoredPostcode {
    func placeKey(_ gazetteer: Gazetteer) -> UnsafeBufferPointer<UInt8> { gazetteer.image.text(at: placeKey) }
}

extension Gazetteer {
    /// Whether a place lies in the region of this folded name or code.
    func isRegion(_ key: [UInt8], _ code: [UInt8], ofPlace place: Int) -> Bool {
        let region = regions[Int(places[place].region)]
        if !code.isEmpty { return image.text(at: region.codeKey).elementsEqual(code) }
        let regions = key.withUnsafeBufferPointer { self.regions(called: $0) }
        return regions.contains { $0.row == UInt32(places[place].region) }
    }

    func knowsRegion(_ key: String) -> Bool {
        !Array(key.utf8).withUnsafeBufferPointer { regions(called: $0) }.isEmpty
    }

    func knowsRegion(_ key: [UInt8], in country: CountryKey) -> Bool {
        key.withUnsafeBufferPointer { regions(called: $0) }.contains {
            country.covers(UInt16(regions[Int($0.row)].country))
        }
    }

    /// The country whose region is called so, if there is one and no other.
    func country(ofRegion name: String) -> String? {
        let key = Array(Folding.loose(name).utf8)
        guard key.count > 3 else { return nil }
        let found = key.withUnsafeBufferPointer { regions(called: $0) }
        let countries = Set(found.map { regions[Int($0.row)].country })
        return countries.count == 1 ? countries.first.map { CountryKey(UInt16($0)).code } : nil
    }
}
