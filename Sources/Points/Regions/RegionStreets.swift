import Formats
import Geocoding

/// The streets of a region: ways of one folded name in one town, at most 500 m apart, are one street.
struct RegionStreets {
    struct Street {
        /// A number of ``RegionObjects/texts``.
        let name: UInt32
        /// The folded name: equal for the spellings of the name.
        let key: UInt32
        /// An index of ``RegionAreas/areas``; nil outside all towns.
        let town: Int?
        /// Indexes of ``RegionObjects/streets``.
        fileprivate(set) var ways: [Int]
        fileprivate(set) var box: MapBox
        /// The postcode that the ways have.
        fileprivate(set) var postcode: UInt32
    }

    private let objects: RegionObjects
    private(set) var streets: [Street] = []
    private(set) var keys = StreetKeys()
    private var byName: [Name: [UInt32]] = [:]
    private var grid = StreetGrid()

    private struct Name: Hashable {
        let key: UInt32
        let town: Int?
    }

    private static let widestGap = 500.0

    init(_ objects: RegionObjects, in areas: RegionAreas) throws {
        self.objects = objects
        var parts: [Name: [Street]] = [:]
        var order: [Name] = []
        for (index, way) in objects.streets.enumerated() where !way.line.isEmpty {
            if index.isMultiple(of: 4096) { try Task.checkCancellation() }
            let line = objects.positions[way.line]
            let town = areas.town(at: line[line.startIndex + line.count / 2])
            let key = keys.key(of: objects.texts[way.name], in: areas.country(of: town))
            guard key != 0 else { continue }
            let name = Name(key: key, town: town)
            var box = MapBox()
            for position in line { box.add(position) }
            if parts[name] == nil { order.append(name) }
            parts[name, default: []].append(
                Street(name: way.name, key: key, town: town, ways: [index], box: box, postcode: way.postcode))
        }
        for name in order {
            for street in Self.joined(parts[name] ?? []) {
                let number = UInt32(clamping: streets.count)
                for way in street.ways { grid.add(objects.positions[objects.streets[way].line], of: number) }
                streets.append(street)
                byName[name, default: []].append(number)
            }
        }
        grid.sort()
    }

    /// Joins those that are near each other, directly or through others.
    private static func joined(_ parts: [Street]) -> [Street] {
        var joined: [Street] = []
        for part in parts.sorted(by: { $0.box.west < $1.box.west }) {
            var part = part
            // A street reaches at most as far east as it does, so a full comparison is rare.
            for place in joined.indices.reversed() where joined[place].box.distance(to: part.box) <= widestGap {
                let other = joined.remove(at: place)
                part.ways += other.ways
                part.box.add(other.box)
                if part.postcode == 0 { part.postcode = other.postcode }
            }
            joined.append(part)
        }
        return joined
    }

    /// The lines of a street.
    func lines(of street: Street) -> [ArraySlice<MapPosition>] {
        street.ways.map { objects.positions[objects.streets[$0].line] }
    }

    /// The other names of a street, without doubles.
    func otherNames(of street: Street) -> [UInt32] {
        var known: Set = [street.name]
        return street.ways.flatMap { [objects.streets[$0].name] + objects.streets[$0].others }
            .filter { known.insert($0).inserted }
    }

    func distance(of street: UInt32, from position: MapPosition) -> Double {
        let metres = LocalMetres(around: position)
        return lines(of: streets[Int(street)]).compactMap { metres.nearest(on: $0)?.distance }.min() ?? .infinity
    }

    private static let reach = 1_000.0

    /// Returns the street with this key within a kilometre: one in the town, else the nearest.
    func street(_ key: UInt32, near position: MapPosition, in town: Int?) -> UInt32? {
        let metres = LocalMetres(around: position)
        func nearest(_ found: some Sequence<UInt32>) -> UInt32? {
            found.filter { metres.distance(to: streets[Int($0)].box.nearest(to: position)) <= Self.reach }
                .map { ($0, distance(of: $0, from: position)) }.filter { $0.1 <= Self.reach }.min { $0.1 < $1.1 }?.0
        }
        if let found = nearest(byName[Name(key: key, town: town)] ?? []) { return found }
        var others: [UInt32] = []
        grid.forEachStreet(near: position) { if streets[Int($0)].key == key { others.append($0) } }
        return nearest(others)
    }

    /// Returns the nearest street within `reach` metres.
    func nearest(to position: MapPosition, within reach: Double) -> UInt32? {
        var best: (street: UInt32, distance: Double)?
        let metres = LocalMetres(around: position)
        grid.forEachStreet(near: position) { street in
            let box = metres.distance(to: streets[Int(street)].box.nearest(to: position))
            guard box <= min(reach, best?.distance ?? reach) else { return }
            let distance = distance(of: street, from: position)
            if distance <= reach, distance < best?.distance ?? .infinity { best = (street, distance) }
        }
        return best?.street
    }
}

/// Numbers the folded names of streets. Zero is a name without a letter and a digit.
struct StreetKeys {
    private var numbers: [String: UInt32] = ["": 0]
    private var known: [Name: UInt32] = [:]

    private struct Name: Hashable {
        let name, country: String
    }

    mutating func key(of name: String, in country: String) -> UInt32 {
        let asked = Name(name: name, country: country)
        if let number = known[asked] { return number }
        let folded = PointKey(street: name, city: "", postcode: "", in: Country(country)).name
        let number = numbers[folded] ?? UInt32(clamping: numbers.count)
        (numbers[folded], known[asked]) = (number, number)
        return number
    }
}
