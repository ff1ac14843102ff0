import Geocoding

extension Gazetteer {
    /// How far a second reading may be from the postcode, in metres.
    private static let far = 60_000.0
    /// A second reading is a guess.
    private static let leastTrust = 0.95

    /// Returns whether no town was found by the name in the address.
    func isUnknown(_ found: [Candidate], _ address: Address) -> Bool {
        guard !Folding.loose(address.city).isEmpty else { return false }
        return found.allSatisfy {
            $0.placemark.locality == nil || Confidence(of: $0, for: address).value < Thresholds().review
        }
    }

    /// Searches once more with the cells read as one line, in which a part may be unknown: `MERKEZ | KARS`,
    /// `Praha 6 - Dejvice`. Nil if no piece of the cells is a known town.
    func reread(_ address: Address) -> [Candidate]? {
        let others = [address.region, address.postcode, address.country].filter { !$0.isEmpty }
        let pieces = self.pieces(of: address.city)
        guard !others.isEmpty || pieces.count > 1 else { return nil }
        var read = self.read(line: ([address.city] + others).joined(separator: ", "), country: address.country)
        if !address.country.isEmpty { read.country = address.country }
        if !address.postcode.isEmpty { read.postcode = address.postcode }
        let town = Folding.loose(read.city)
        let isInCity = pieces.contains(town)
        guard isInCity && town != Folding.loose(address.city) || self.pieces(of: address.region).contains(town) else {
            return nil
        }
        let better = direct(read).filter {
            $0.placemark.locality != nil && Confidence(of: $0, for: read).value >= Thresholds().review
        }
        guard let best = better.first, isNear(best, postcodeOf: address),
            isInCity || isOnlyKind(address.city) || isMetropolis(best)
        else { return nil }
        return better.map { candidate in
            var candidate = candidate.scaled(Self.leastTrust)
            let name = candidate.placemark.name ?? candidate.placemark.locality
            (candidate.placemark.locality, candidate.placemark.name) = (address.city, name)
            return candidate
        }
    }

    /// The folded pieces of a cell, each also without a word for its kind: `Kec. Kebayoran Baru, Jakarta Selatan`.
    private func pieces(of cell: String) -> Set<String> {
        let tokens = LineTokens(cell)
        let parts = Dictionary(grouping: 0..<tokens.count) { tokens[$0].part }.values
        return Set(
            parts.flatMap { part -> [String] in
                let words = part.filter { !tokens[$0].hasDigit }.map {
                    String(decoding: tokens.folded($0..<($0 + 1)), as: UTF8.self)
                }
                let kinds = words.prefix { TownWords.before.contains($0) }.count
                return [words.joined(separator: " "), words.dropFirst(kinds).joined(separator: " ")]
            }
        ).subtracting([""])
    }

    /// Returns whether a cell has only a word for a kind of town: `Merkez`, `Mueang`.
    func isOnlyKind(_ cell: String) -> Bool { TownWords.before.contains(Folding.loose(cell)) }

    /// Returns whether a place is so large that what stands before it is a part of it.
    private func isMetropolis(_ candidate: Candidate) -> Bool {
        let place = candidate.placemark.coordinate
        let here = Position(latitude: place.latitude, longitude: place.longitude)
        let name = candidate.placemark.name ?? candidate.placemark.locality ?? ""
        return Array(Folding.loose(name).utf8).withUnsafeBufferPointer { towns(called: $0) }.contains {
            places[$0.place].population >= LineReader.metropolis
                && places[$0.place].coordinate.distance(to: here) < 1_000
        }
    }

    /// Returns whether a place is near the address's postcode, or that is unknown.
    private func isNear(_ candidate: Candidate, postcodeOf address: Address) -> Bool {
        let sought = SoughtTown(address, in: self)
        guard sought.country != nil, !sought.postcodeRows.isEmpty else { return true }
        let place = candidate.placemark.coordinate
        let here = Position(latitude: place.latitude, longitude: place.longitude)
        return sought.postcodeRows.contains { postcodes[$0].coordinate.distance(to: here) < Self.far }
    }
}
