import Formats
import Geocoding

/// The towns, villages and their parts of a region.
struct RegionPlaces {
    struct Place {
        let kind: RegionObjects.PlaceKind
        let name: String
        let others: [String]
        let position: MapPosition
        /// An index of ``RegionAreas/areas``.
        let town: Int?
    }

    let places: [Place]
    private var grid = StreetGrid(side: 1_000_000)

    init(_ objects: RegionObjects, in areas: RegionAreas) {
        places = objects.places.map { place in
            Place(
                kind: place.kind, name: objects.texts[place.name], others: place.others.map { objects.texts[$0] },
                position: place.position, town: areas.town(at: place.position))
        }
        for (index, place) in places.enumerated() where place.kind.isSettlement {
            grid.add(CollectionOfOne(place.position), of: UInt32(clamping: index))
        }
        grid.sort()
    }

    private static let reach = 3_000.0

    /// Returns the nearest settlement in the same town within 3 km. Outside all towns it is one within whose usual reach
    /// the position is.
    func settlement(near position: MapPosition, in town: Int?) -> Place? {
        nearest(to: position) { place, distance in
            let isNear = place.town == town && distance <= (town == nil ? place.kind.reach : Self.reach)
            return isNear ? distance : nil
        }
    }

    /// Returns the city or village around a position outside all towns: a city reaches farther than a village.
    func town(around position: MapPosition) -> Place? {
        nearest(to: position) { place, distance in
            place.town == nil && place.kind.isTown && distance <= place.kind.reach ? distance / place.kind.reach : nil
        }
    }

    /// `rank` returns nil for a place that is too far away.
    private func nearest(to position: MapPosition, _ rank: (Place, _ distance: Double) -> Double?) -> Place? {
        let metres = LocalMetres(around: position)
        var best: (place: Int, rank: Double)?
        grid.forEachStreet(near: position) { index in
            let place = places[Int(index)]
            guard let rank = rank(place, metres.distance(to: place.position)) else { return }
            if rank < best?.rank ?? .infinity { best = (Int(index), rank) }
        }
        return best.map { places[$0.place] }
    }
}

extension RegionObjects.PlaceKind {
    /// An address may name it.
    var isSettlement: Bool { self != .locality && self != .isolatedDwelling }

    /// It has a name of its own in an address: it is not a part of another.
    var isTown: Bool { [.city, .town, .village, .hamlet].contains(self) }

    /// How far from its middle it usually reaches, in metres.
    var reach: Double {
        switch self {
        case .city: 8_000
        case .town: 4_000
        case .borough, .suburb, .village: 2_000
        case .quarter, .neighbourhood, .hamlet, .locality, .isolatedDwelling: 1_000
        }
    }
}
