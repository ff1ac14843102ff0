import Geocoding
import Schema

/// The names in the gazetteer's seed, by which the truth knows what the gazetteer can know, and the first baseline.
struct SeedNames {
    private struct Place {
        let coordinate: Coordinate
        let country: Country?
        let population: Int
    }

    private var places: [String: [Place]] = [:]

    init() throws {
        var places: [String: [Place]] = [:]
        try Seed.places.forEachLine { cells in
            let texts = cells.map { String(decoding: $0, as: UTF8.self) }
            guard let latitude = Double(texts[6]), let longitude = Double(texts[7]),
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            else { return }
            let place = Place(coordinate: coordinate, country: Country(texts[3]), population: Int(texts[8]) ?? 0)
            for name in Set(([texts[1]] + texts[2].split(separator: "|").map(String.init)).map(Folding.loose)) {
                places[name, default: []].append(place)
            }
        }
        self.places = places
    }

    /// Whether a place of that name lies within 10 km.
    func knows(_ place: TruthPlace) -> Bool {
        [place.name, LocalNames.of(place.name, in: place.country.code)].compactMap(\.self).contains { name in
            places[Folding.loose(name), default: []].contains { $0.coordinate.kilometres(to: place.coordinate) <= 10 }
        }
    }

    /// What a page of SQL would answer: the largest place of exactly this name, in the country if one is given.
    func largest(_ name: String, in country: Country?) -> Coordinate? {
        places[Folding.loose(name), default: []].filter { country == nil || $0.country == country }
            .max { $0.population < $1.population }?.coordinate
    }
}
