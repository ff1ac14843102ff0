package import Geocoding

/// A town whose name begins with the text that a person has typed.
package struct TownSuggestion: Hashable, Sendable {
    package let name: String
    package let region: String
    package let countryCode: String
    package let coordinate: Coordinate
    package let population: Int
}

extension Gazetteer {
    /// Up to `limit` towns with a name that begins with `text`, in any language. Exact names come first, then the towns
    /// with the most people. With `country`, a code, only towns of that country.
    package func suggestions(for text: String, inCountry country: String? = nil, limit: Int) -> [TownSuggestion] {
        let prefix = Array(Folding.loose(text).utf8)
        guard !prefix.isEmpty else { return [] }
        let wanted = country.map { CountryKey($0).value }
        let rows = prefix.withUnsafeBufferPointer { KeyTable(image, slots: .nameSlots, entries: .names).rows(from: $0) }
        var best: [Int: Rank] = [:]
        for row in rows where wanted == nil || places[row.place].country == wanted {
            let rank = Rank(
                isExact: image.text(at: row.key).count == prefix.count && !row.isShortName,
                population: places[row.place].population, place: row.place)
            best[row.place] = max(best[row.place] ?? rank, rank)
        }
        return best.values.sorted(by: >).prefix(limit).compactMap { suggestion(of: $0.place) }
    }

    private struct Rank: Comparable {
        let isExact: Bool
        let population: UInt32
        let place: Int

        static func < (one: Rank, other: Rank) -> Bool {
            (one.isExact ? 1 : 0, one.population, -one.place) < (other.isExact ? 1 : 0, other.population, -other.place)
        }
    }

    private func suggestion(of number: Int) -> TownSuggestion? {
        let place = places[number]
        let position = place.coordinate
        return Coordinate(latitude: position.latitude, longitude: position.longitude).map { coordinate in
            TownSuggestion(
                name: image.string(at: place.name), region: image.string(at: regions[Int(place.region)].name),
                countryCode: CountryKey(place.country).code, coordinate: coordinate, population: Int(place.population))
        }
    }
}
