import Geocoding
import Towns

/// The names in the gazetteer's seed. They decide which places the gazetteer can contain, and the first baseline uses
/// them.
struct SeedNames {
    private let gazetteer = Gazetteer.shared

    /// True if a place with that name lies within 10 km.
    func knows(_ place: TruthPlace) -> Bool {
        [place.name, LocalNames.of(place.name, in: place.country.code)].compactMap(\.self).contains { name in
            gazetteer.towns(called: name).contains { $0.coordinate.kilometres(to: place.coordinate) <= 10 }
        }
    }

    /// The result of a simple SQL query: the largest place with exactly this name, in the country if one is given.
    func largest(_ name: String, in country: Country?) -> Coordinate? {
        gazetteer.towns(called: name).first { country == nil || $0.country == country?.code }?.coordinate
    }
}
