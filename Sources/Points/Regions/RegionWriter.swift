import Formats
import Geocoding
import Glibc
import Postgres

/// Writes the rows of a region in pieces, each in a transaction of its own.
struct RegionWriter {
    private let join: RegionJoin
    private let tables: PointTables
    private let isAbroad: BorderCheck
    private let onProgress: @Sendable (Int?) -> Void
    private(set) var outcome = PointLoad.Outcome()
    private var keys: StreetKeys
    /// The ids of the rows so far.
    private var known: [RegionJoin.Row: Int] = [:]
    private var ids = 0
    private var hasLine: Set<UInt32> = []
    private var rows: [NewRow] = []
    private var houses: [NewHouse] = []
    private var count = 0

    private struct NewRow {
        let id: Int
        /// The row with the houses.
        let houses: Int
        let texts: RegionJoin.Texts
        let town: Int?
        let isInterpolated: Bool
        var middle: MapPosition?
        var line: [UInt8]?
        var box: MapBox?
    }

    private struct NewHouse {
        let row: Int
        let number: String
        let position: MapPosition
        let rank: Int
    }

    private static let pieceSize = 50_000

    init(
        _ join: RegionJoin, tables: PointTables, isAbroad: @escaping BorderCheck,
        onProgress: @escaping @Sendable (Int?) -> Void
    ) {
        (self.join, self.tables, self.isAbroad, self.onProgress) = (join, tables, isAbroad, onProgress)
        keys = join.keys
    }

    private var objects: RegionObjects { join.objects }

    mutating func writeHouses(on database: isolated Connection) throws {
        for (index, house) in objects.houses.enumerated() {
            let number = PointKey.number(objects.texts[house.number])
            guard !number.isEmpty, let found = join.row(of: index) else {
                outcome.incomplete += 1
                continue
            }
            if let place = house.position.coordinate,
                isAbroad(place, join.areas.country(of: found.row.town < 0 ? nil : Int(found.row.town)))
            {
                outcome.abroad += 1
                continue
            }
            let row = row(found.row, at: house.position, alias: found.alias)
            // A building comes before its entrance, and both before a number between others.
            let rank = Int(house.kind.rank) << 28 | index & 0xfff_ffff
            houses.append(NewHouse(row: row, number: number, position: house.position, rank: rank))
            if houses.count == Self.pieceSize { try flush(on: database) }
        }
        try flush(on: database)
    }

    /// Writes the streets without houses.
    mutating func writeStreets(on database: isolated Connection) throws {
        for index in join.streets.streets.indices where !hasLine.contains(UInt32(index)) {
            let street = join.streets.streets[index]
            let row = RegionJoin.Row(
                street: UInt32(index), name: 0, town: Int32(clamping: street.town ?? -1), city: 0, district: 0,
                postcode: 0, isInterpolated: false)
            _ = self.row(row, at: middle(of: street), alias: nil)
            if rows.count >= Self.pieceSize { try flush(on: database) }
        }
        try flush(on: database)
    }

    /// The middle position of the longest way.
    private func middle(of street: RegionStreets.Street) -> MapPosition {
        let longest = join.streets.lines(of: street).max { $0.count < $1.count } ?? []
        return longest.isEmpty
            ? MapPosition(latitude: 0, longitude: 0) : longest[longest.startIndex + longest.count / 2]
    }

    /// Returns the id of a row, which is written when it is new.
    private mutating func row(_ row: RegionJoin.Row, at position: MapPosition, alias: UInt32?) -> Int {
        if let id = known[row] { return id }
        ids += 1
        let (id, street) = (ids, row.street.map { join.streets.streets[Int($0)] })
        known[row] = id
        let texts = join.texts(of: row, at: street.map(middle) ?? position)
        var new = NewRow(
            id: id, houses: id, texts: texts, town: row.town < 0 ? nil : Int(row.town),
            isInterpolated: row.isInterpolated)
        if let street, let index = row.street, !row.isInterpolated {
            new.middle = middle(of: street)
            if hasLine.insert(index).inserted {
                (new.line, new.box) = (StreetLine.bytes(of: join.streets.lines(of: street)), street.box)
            }
        }
        rows.append(new)
        var names = street.map { join.streets.otherNames(of: $0) } ?? []
        if let alias { names.append(join.streets.streets[Int(alias)].name) }
        var folded: Set = [keys.key(of: texts.street, in: texts.country)]
        for name in names {
            let other = objects.texts[name]
            let key = keys.key(of: other, in: texts.country)
            guard key != 0, folded.insert(key).inserted else { continue }
            ids += 1
            var texts = texts
            texts.street = other
            rows.append(
                NewRow(
                    id: ids, houses: id, texts: texts, town: new.town, isInterpolated: row.isInterpolated,
                    middle: new.middle, box: new.box))
        }
        return id
    }

    private mutating func flush(on database: isolated Connection) throws {
        try Task.checkCancellation()
        let (rows, houses, tables) = (rows, houses, tables)
        try database.transaction { database in
            try database.copy(into: "\(identifier: tables.newStreets)") { copy in
                for row in rows {
                    let texts = row.texts
                    let key = PointKey(
                        street: texts.street, city: texts.city, district: texts.district, postcode: texts.postcode,
                        in: Country(texts.country))
                    try copy.append(
                        row.id, key.town, key.district, key.postcode, key.name, texts.street, texts.city,
                        texts.district, texts.region, texts.postcode, texts.country, row.houses,
                        row.town, row.isInterpolated, row.middle.map { Int($0.latitude) },
                        row.middle.map { Int($0.longitude) }, row.line.map { Bytes($0) }, row.box?.text)
                }
            }
            try database.copy(into: "\(identifier: tables.newHouses)") { copy in
                for house in houses {
                    let value = Int(house.number.prefix(while: \.isNumber).prefix(9)) ?? 0
                    try copy.append(
                        house.row, value, house.number, Int(house.position.latitude), Int(house.position.longitude),
                        house.rank)
                }
            }
        }
        count += houses.count
        self.houses.removeAll(keepingCapacity: true)
        self.rows.removeAll(keepingCapacity: true)
        onProgress(count)
    }

    mutating func writeAreas(on database: isolated Connection) throws {
        let (areas, tables) = (join.areas.areas, tables)
        try database.copy(into: "\(identifier: tables.areas)") { copy in
            for (id, area) in areas.enumerated() {
                try copy.append(
                    tables.id, id, area.osmID, area.parent, area.level, area.isTown, area.name, area.code,
                    Int(area.middle.latitude), Int(area.middle.longitude))
            }
        }
        let cells = join.areas.cells
        try database.copy(into: "\(identifier: tables.cells)") { copy in
            for cell in cells { try copy.append(tables.id, cell.cell, cell.depth, cell.inside, Bytes(cell.edge)) }
        }
        (outcome.areas, outcome.streets) = (areas.count, join.counts.streets)
    }

    /// Writes a row for each name of a place, and of each town with a border.
    mutating func writePlaces(on database: isolated Connection) throws {
        let (areas, tables, places) = (join.areas, tables, join.places.places)
        try database.copy(into: "\(identifier: tables.places)") { copy in
            func write(
                _ names: [String], _ kind: Int, _ position: MapPosition, in town: Int?, reach: Double?
            ) throws {
                let country = areas.country(of: town)
                for (number, name) in names.enumerated() {
                    let key = PointKey(street: "", city: name, postcode: "", in: Country(country)).town
                    guard let key else { continue }
                    let box = number == 0 ? reach.map { MapBox(around: position, reach: $0).text } : nil
                    try copy.append(
                        tables.id, key, town, kind, names[0],
                        town.map { areas.areas[$0].name } ?? names[0], areas.region(of: town), country,
                        Int(position.latitude), Int(position.longitude), box)
                }
            }
            for place in places {
                try write(
                    [place.name] + place.others, Int(place.kind.rawValue), place.position, in: place.town,
                    reach: place.kind.isSettlement ? place.kind.reach : nil)
            }
            for (index, area) in areas.areas.enumerated() where area.isTown {
                try write([area.name] + area.others, -1, area.middle, in: index, reach: nil)
            }
        }
    }
}

extension RegionObjects.HouseKind {
    fileprivate var rank: UInt8 {
        switch self {
        case .building: 0
        case .node: 1
        case .entrance: 2
        case .interpolated: 3
        }
    }
}

extension MapBox {
    fileprivate init(around position: MapPosition, reach: Double) {
        self.init()
        let north = reach / 0.011_131_949
        let east = north / max(0.01, cos(Double(position.latitude) / 1e7 * .pi / 180))
        for (latitude, longitude) in [(-north, -east), (north, east)] {
            add(
                MapPosition(
                    latitude: Int32(clamping: Int(Double(position.latitude) + latitude)),
                    longitude: Int32(clamping: Int(Double(position.longitude) + longitude))))
        }
    }
}
