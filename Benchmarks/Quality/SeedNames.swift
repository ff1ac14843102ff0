import Geocoding
import Towns

/// The names in the gazetteer's seed, by which the truth knows what the gazetteer can know, and the first baseline.
struct SeedNames {
    private let gazetteer = Gazetteer.shared

    /// Whether a place of that name lies within 10 km.
    func knows(_ place: TruthPlace) -> Bool {
        [place.name, LocalNames.of(place.name, in: place.country.code)].compactMap(\.self).contains { name in
            gazetteer.towns(called: name).contains { $0.coordinate.kilometres(to: place.coordinate) <= 10 }
        }
    }

    /// What a page of SQL would answer: the largest place of exactly this name, in the country if one is given.
    func largest(_ name: String, in country: Country?) -> Coordinate? {
        gazetteer.towns(called: name).first { country == nil || $0.country == country?.code }?.coordinate
    }
}
