package import Geocoding

extension Gazetteer {
    /// The places that an address may mean, by its postcode or its town: at most five, the likeliest first.
    package func search(_ address: Address) -> [Candidate] {
        let address = withoutFillers(address.withPostcodeApart)
        if isOnlyKind(address.city), !address.region.isEmpty, let found = reread(address) { return found }
        let found = direct(address)
        return isUnknown(found, address) ? reread(address) ?? found : found
    }

    func direct(_ address: Address) -> [Candidate] {
        let sought = SoughtTown(address, in: self)
        let found = TownSearch(gazetteer: self, address: address, sought: sought).candidates()
        return sought.isCountryUnknown ? found.map { $0.scaled(TownSearch.unknownCountry) } : found
    }
}

/// One search in the gazetteer.
struct TownSearch {
    let gazetteer: Gazetteer
    let address: Address
    let sought: SoughtTown

    /// How far the area of a town's postcodes reaches, in metres.
    static let near = 25_000.0
    /// No postcode's area is wider than this, in metres.
    static let widest = 150_000.0
    /// Above this distance, in metres, the town's position is used instead of the middle of its postcode. Where
    /// postcodes are small, it is ``near``.
    static let seat = 6_000.0
    /// Two towns of one name that are nearer than this, in metres, count as one.
    static let same = 12_000.0
    /// The share of an answer if the address names an unknown country: a person reviews it.
    static let unknownCountry = 0.7
    /// A name alone that is a town with fewer people than this is doubtful.
    static let large = 20_000
    static let doubtful = 0.7
    /// The largest share of a town that neither its region nor a postcode confirms. Villages that the gazetteer lacks have
    /// the names of known towns, and small ones more often. docs/confidence.md has the measurements.
    static let unconfirmed = (large: 0.95, small: 0.9, behindOtherWords: 0.8)
    /// The largest share of a town in its region, without a country.
    static let withoutCountry = 0.98
    /// The least share of the first of many towns with one name, enough for a review.
    static let leastOfFirst = 0.45
    /// Further postcodes that begin alike are ignored.
    static let mostAlike = 500
    /// How many candidates are returned at most.
    static let most = 5

    func candidates() -> [Candidate] {
        let codes = postcodeRows
        if sought.city.isEmpty, !codes.isEmpty { return postcodes(codes, isTownUnknown: true) }
        // Most towns have their usual spelling.
        if let row = row(of: sought.city, among: codes) {
            return [place(ofPostcode: row, key: sought.city)].compactMap(\.self)
        }
        var towns = towns(called: sought.city)
        if towns.isEmpty {
            let spelling = CitySpelling(address)
            for key in spelling.names.map({ Array($0.utf8) }) where key != sought.city {
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

    /// Compares the towns of a name with the postcode.
    private func settle(_ towns: [TownMatch], _ all: [Int]) -> [Candidate] {
        var towns = towns
        var codes = all
        if sought.country == nil, !sought.postcodeKey.isEmpty {
            // The number may be another country's postcode, which is not evidence against a town.
            let countries = Set(towns.map { gazetteer.places[$0.place].country })
            codes = all.filter { countries.contains(gazetteer.postcodes[$0].country) }
            for index in towns.indices
            where !PostcodeShape.fits(sought.postcodeKey, in: CountryKey(gazetteer.places[towns[index].place].country))
            {
                towns[index].weight /= 20
            }
        }
        guard !codes.isEmpty else {
            // Without a country, the first town's country decides whether it has such a postcode.
            let found = shares(of: towns)
            return isContradicted(found) ? found.map { $0.scaled(0.5) } : found
        }
        let nearest = towns.flatMap { town in
            codes.map { row in
                (town, row, gazetteer.places[town.place].coordinate.distance(to: gazetteer.postcodes[row].coordinate))
            }
        }.min { $0.2 < $1.2 }
        if let (town, row, distance) = nearest, distance < Self.near, town.likeness > CitySpelling.ofPart {
            let called = town.isExact || town.isPiece ? address.city : town.spelling ?? name(of: town)
            if distance > seat(ofPostcode: row) {
                return [candidate(town: town, share: 1, hasPostcode: true)].compactMap(\.self)
            }
            return [candidate(postcode: row, called: called, likeness: town.likeness)].compactMap(\.self)
        }
        let ofCode = towns.filter { town in codes.contains { isOfTown(row: $0, town) } }
        if let town = ofCode.max(by: { $0.weight < $1.weight }) {
            return [candidate(town: town, share: 1, hasPostcode: true)].compactMap(\.self)
        }
        // The postcode is more certain than a village of that name elsewhere, or than a part of the name.
        if towns.allSatisfy({ $0.isOfPostcode || $0.likeness <= CitySpelling.ofPart }) {
            return postcodes(codes, isTownUnknown: true)
        }
        // Either the town or the postcode is wrong, and it is unknown which.
        return Array(
            (postcodes(codes, isTownUnknown: false) + shares(of: towns).map { $0.scaled(0.5) }).prefix(Self.most))
    }

    /// Returns whether an unknown postcode contradicts the first town: known ones that begin alike are all far from it.
    private func isContradicted(_ found: [Candidate]) -> Bool {
        guard sought.postcodeKey.count > 3, let town = found.first?.placemark,
            let country = sought.country ?? town.countryCode.map({ CountryKey($0) })
        else { return false }
        // With the zeros that a spreadsheet removed.
        let written = String(decoding: sought.postcodeKey, as: UTF8.self)
        let key = Array(PostcodeKey(written, in: country.code).padded.utf8)
        guard PostcodeShape.fits(key, in: country) else { return sought.country == nil }
        let here = Position(latitude: town.coordinate.latitude, longitude: town.coordinate.longitude)
        for length in (2..<key.count).reversed() {
            let alike = key[..<length].withUnsafeBufferPointer {
                KeyTable(gazetteer.image, slots: .postcodeSlots, entries: .postcodeKeys).rows(from: $0)
            }.prefix(Self.mostAlike).map { gazetteer.postcodes[Int($0.row)] }.filter { $0.country == country.value }
            if !alike.isEmpty { return !alike.contains { $0.coordinate.distance(to: here) < Self.widest } }
        }
        return false
    }

    /// The rows of the postcode. Without a country, only those in the region if there are any: `Paris, TX 75460`.
    private var postcodeRows: [Int] {
        let all = sought.postcodeRows
        guard sought.country == nil, !all.isEmpty, !sought.region.isEmpty else { return all }
        let regions = sought.region.withUnsafeBufferPointer { gazetteer.regions(called: $0) }.map(\.row)
        let inside = all.filter { regions.contains(UInt32(gazetteer.postcodes[$0].region)) }
        return inside.isEmpty ? all : inside
    }

    /// Returns whether a postcode whose middle is far away contains the town's name, or is in the region with that
    /// name.
    func isOfTown(row: Int, _ town: TownMatch) -> Bool {
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

    func row(of name: [UInt8], among codes: [Int]) -> Int? {
        codes.first { gazetteer.postcodes[$0].placeKey(gazetteer).elementsEqual(name) }
    }

    /// A postcode of the searched town. If the postcode's area is wide, its middle may be far from where people live.
    private func place(ofPostcode row: Int, key: [UInt8]) -> Candidate? {
        let found = gazetteer.postcodes[row]
        let near = towns(called: key).filter {
            !($0.likeness < 1) && gazetteer.places[$0.place].country == found.country
        }
        .map { ($0, gazetteer.places[$0.place].coordinate.distance(to: found.coordinate)) }
        .filter { town, distance in
            // A namesake by another name, or in another region, is not the place of a row with exactly the name.
            distance < Self.near || town.isMain && distance < 3 * Self.near
                || distance < Self.widest && town.isMain && gazetteer.places[town.place].region == found.region
        }
        .min { $0.1 < $1.1 }
        if let (town, distance) = near, distance > seat(ofPostcode: row),
            let candidate = candidate(town: town, share: 1, hasPostcode: true)
        {
            return candidate
        }
        return candidate(postcode: row, called: address.city)
    }

    /// The places of a postcode alone. Without a country there are none, because many countries may have the number.
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
            // The unknown village of the address may have this postcode, so the postcode's own town is not reported.
            if hasCity, isTownUnknown {
                found.placemark.locality = nil
                // An area is too wide to be certain.
                if !isWhole { found.share /= 2 }
            }
            return found
        }
    }

    /// Towns of one name, each with its share of their total population.
    private func shares(of towns: [TownMatch]) -> [Candidate] {
        let towns = sought.region.isEmpty ? towns.map(withSeatFirst) : towns
        let all = towns.reduce(0) { $0 + $1.weight }
        // The address names no country, and neither its region nor its postcode is one of the town's.
        let isUnconfirmed =
            sought.country == nil && !sought.isBare
            && (sought.region.isEmpty || !towns.contains(where: isInRegion))
        let ranked = towns.sorted { $0.weight > $1.weight }
        return ranked.prefix(Self.most).enumerated().compactMap { rank, town -> Candidate? in
            let place = gazetteer.places[town.place]
            // A municipality and its seat count together.
            var share =
                towns.reduce(0) {
                    $0
                        + (gazetteer.places[$1.place].coordinate.distance(to: place.coordinate) < Self.same
                            ? $1.weight : 0)
                } / all
            if sought.isBare || isUnconfirmed {
                // Without country, region and postcode, a small town may be meant as well as a large one. A name alone
                // may not even be a town.
                share *= share
                let isAlone = isUnconfirmed ? !sought.region.isEmpty : !address.street.contains(where: \.isLetter)
                if isAlone, place.population < Self.large || !town.isExact { share *= Self.doubtful }
            }
            // The most probable one of many is worth a review.
            if rank == 0, town.isExact, town.likeness == 1 { share = max(share, Self.leastOfFirst) }
            return candidate(town: town, share: min(share, mostShare(of: town)))
        }
    }

    /// A town after which its region is named is meant rather than its namesakes: `Kars`.
    private func withSeatFirst(_ town: TownMatch) -> TownMatch {
        let region = gazetteer.regions[Int(gazetteer.places[town.place].region)]
        guard town.isExact, sought.country != nil, gazetteer.image.text(at: region.nameKey).elementsEqual(sought.city)
        else { return town }
        var town = town
        town.weight *= Self.seatOfRegion
        return town
    }

    /// How much likelier such a town is.
    private static let seatOfRegion = 5.0

    /// The largest share of a town without a postcode: no name is a proof.
    private func mostShare(of town: TownMatch) -> Double {
        let isLarge = gazetteer.places[town.place].population >= Self.large
        let isConfirmed = !sought.region.isEmpty && isInRegion(town)
        if sought.country != nil { return isConfirmed || isLarge ? 1 : Self.unconfirmed.large }
        if isConfirmed { return Self.withoutCountry }
        let hasOtherWords =
            !sought.region.isEmpty && !gazetteer.knowsRegion(String(decoding: sought.region, as: UTF8.self))
        if hasOtherWords { return Self.unconfirmed.behindOtherWords }
        return isLarge ? Self.unconfirmed.large : Self.unconfirmed.small
    }
}

extension Candidate {
    func scaled(_ factor: Double) -> Candidate {
        var candidate = self
        candidate.share *= factor
        return candidate
    }
}

extension StoredPostcode {
    func placeKey(_ gazetteer: Gazetteer) -> UnsafeBufferPointer<UInt8> {
        gazetteer.image.text(at: placeKey)
    }
}

extension Gazetteer {
    /// The address without words such as `n/a` or `mobile` in place of its city: `mobile clinic` is not in Alabama.
    fileprivate func withoutFillers(_ address: Address) -> Address {
        guard address.postcode.isEmpty, !address.city.isEmpty else { return address }
        let key = Folding.loose(address.city)
        lazy var hasRegion = knowsRegion(Folding.loose(address.region))
        guard Fillers.meansNothing(key) || Fillers.isLabel(key) && address.country.isEmpty && !hasRegion else {
            return address
        }
        var address = address
        address.city = ""
        return address
    }
}
