import Formats
import Geocoding

/// Gives each house of a region its street, and each street its town, part of the town and postcode.
package struct RegionJoin: Sendable {
    /// The numbers of houses, streets and areas that were joined.
    package struct Counts: Sendable {
        package internal(set) var houses = 0
        package internal(set) var streets = 0
        package internal(set) var areas = 0
        /// Areas that are what an address calls the town.
        package internal(set) var towns = 0
        /// Houses between two others.
        package internal(set) var interpolated = 0
        /// Houses without a street, at the nearest one.
        package internal(set) var ofNearestStreet = 0
        /// Houses with neither a street nor a place, and no street near. They are left out.
        package internal(set) var withoutStreet = 0
    }

    /// The identity of a row of `point_streets`.
    struct Row: Hashable {
        /// An index of ``RegionStreets/streets``; nil for a street or place that is not on the map.
        var street: UInt32?
        /// The name of the street or place.
        var name: UInt32
        var town: Int32
        /// Another town, or a part of the town, that the house names.
        var city: UInt32
        var district: UInt32
        var postcode: UInt32
        var isInterpolated: Bool
    }

    let objects: RegionObjects
    let areas: RegionAreas
    let streets: RegionStreets
    let places: RegionPlaces
    /// The streets of the houses; ``noStreet`` for those whose street is not on the map.
    private var matches: [UInt32] = []
    /// The postcode of most houses of a street.
    private var postcodes: [UInt32: UInt32] = [:]
    package private(set) var counts = Counts()
    private(set) var keys: StreetKeys
    private static let noStreet = UInt32.max

    /// The nearest street of a house without one is at most this far away, in metres.
    private static let reach = 100.0

    init(_ objects: RegionObjects, country: Country?) throws {
        self.objects = objects
        areas = try RegionAreas(objects, country: country)
        streets = try RegionStreets(objects, in: areas)
        places = RegionPlaces(objects, in: areas)
        keys = streets.keys
        (counts.streets, counts.areas) = (streets.streets.count, areas.areas.count)
        counts.towns = areas.areas.count(where: \.isTown)
    }

    /// Looks for the street of each house. A postcode of a street is known when all its houses are.
    mutating func matchHouses() throws {
        struct Pair: Hashable {
            let street, postcode: UInt32
        }
        var numbers: [Pair: Int] = [:]
        matches.reserveCapacity(objects.houses.count)
        for (index, house) in objects.houses.enumerated() {
            if index.isMultiple(of: 65_536) { try Task.checkCancellation() }
            let address = objects.addresses[Int(house.address)]
            let street = street(of: address, at: house.position)
            matches.append(street ?? Self.noStreet)
            counts.houses += 1
            if house.kind == .interpolated { counts.interpolated += 1 }
            if address.street == 0, address.place == 0 {
                if street == nil { counts.withoutStreet += 1 } else { counts.ofNearestStreet += 1 }
            }
            guard let street, address.postcode != 0 else { continue }
            numbers[Pair(street: street, postcode: address.postcode), default: 0] += 1
        }
        var most: [UInt32: Int] = [:]
        for (pair, count) in numbers.sorted(by: { $0.key.postcode < $1.key.postcode })
        where count > most[pair.street] ?? 0 {
            (most[pair.street], postcodes[pair.street]) = (count, pair.postcode)
        }
    }

    private mutating func street(of address: RegionObjects.HouseAddress, at position: MapPosition) -> UInt32? {
        if address.street != 0 {
            let town = areas.town(at: position)
            let key = keys.key(of: objects.texts[address.street], in: areas.country(of: town))
            return streets.street(key, near: position, in: town)
        }
        return address.place != 0 ? nil : streets.nearest(to: position, within: Self.reach)
    }

    /// Returns the row of a house, and the street that is nearest if the house names one that is not on the map. Nil if it
    /// has no street, no place, and no street is near.
    func row(of index: Int) -> (row: Row, alias: UInt32?)? {
        let house = objects.houses[index]
        let address = objects.addresses[Int(house.address)]
        let town = areas.town(at: house.position)
        let match = index < matches.count && matches[index] != Self.noStreet ? matches[index] : nil
        var row = Row(
            street: match, name: 0, town: Int32(clamping: town ?? -1), city: address.city, district: address.district,
            postcode: address.postcode, isInterpolated: house.kind == .interpolated)
        if row.postcode == 0 { row.postcode = match.flatMap { postcodes[$0] } ?? 0 }
        if let town, objects.texts[address.city] == areas.areas[town].name { row.city = 0 }
        if match != nil {
            if address.street == 0 { row.isInterpolated = true }
            return (row, nil)
        }
        row.name = address.street != 0 ? address.street : address.place
        if row.name == 0 { return nil }
        return (row, address.street != 0 ? streets.nearest(to: house.position, within: Self.reach) : nil)
    }

    /// The texts of a row of `point_streets`.
    struct Texts {
        var street, city, district, region, postcode, country: String
    }

    /// `position` is that of a house, or of the street.
    func texts(of row: Row, at position: MapPosition) -> Texts {
        let town = row.town < 0 ? nil : Int(row.town)
        let settlement = places.settlement(near: position, in: town)
        let texts = objects.texts
        var named = [texts[row.city], texts[row.district], settlement?.name ?? ""]
        if town == nil { named.insert(places.town(around: position)?.name ?? "", at: 1) }
        named.removeAll(where: \.isEmpty)
        let city = town.map { areas.areas[$0].name } ?? named.first ?? ""
        let own =
            row.postcode != 0 ? row.postcode : row.street.map { streets.streets[Int($0)].postcode } ?? 0
        return Texts(
            street: texts[row.street.map { streets.streets[Int($0)].name } ?? row.name], city: city,
            district: named.first { $0 != city } ?? "", region: areas.region(of: town),
            postcode: own != 0 ? texts[own] : areas.postcode(at: position), country: areas.country(of: town))
    }
}
