package import Geocoding
package import Postgres
import Questions
package import Queue

/// Loads a new version of a set of points, and replaces the old one by it.
///
/// All long work happens in tables of the new version, which have no readers yet. A load that was interrupted
/// leaves the old version as it was, and tables that the next load of the set drops.
package struct PointLoad: Sendable {
    package let name: String
    /// Nil keeps the text of the version before.
    package var attribution: String?
    package var licence: String?
    /// Points in another country than their own are left out.
    package var isAbroad: BorderCheck = { _, _ in false }
    var isRegion = false

    package init(_ name: String) {
        self.name = name
    }

    package struct Outcome: Sendable {
        package var points = 0
        package var streets = 0
        /// Points with neither a town nor a postcode, or without a number or a name.
        package var incomplete = 0
        /// Points in another country than their own.
        package var abroad = 0
        /// Further points of a number, such as the flats of a house.
        package var repeated = 0
        package var countries: [String] = []
        /// Areas with a border; only of a region.
        package var areas = 0
        /// The chains of a new set; empty if the set was known.
        package var chains: [PointChain] = []
    }

    /// The name of a set is the name of its lane, which a provider already has.
    package struct NameTaken: Error, CustomStringConvertible {
        let name: String

        package var description: String {
            "the lane \(name) belongs to a provider; give the points another name with --name"
        }
    }

    package struct Overtaken: Error, CustomStringConvertible {
        let name: String

        package var description: String { "another load of \(name) began after this one, and goes on" }
    }

    package struct NoPoints: Error, CustomStringConvertible {
        package let description =
            "no point has a number, a street or place, and a town or postcode; nothing was changed"
    }

    /// `points` calls its argument with each point. `onProgress` gets the number of points so far; then nil, when all are
    /// read and the tables are built.
    package func run(
        by author: Author, on database: Database, onProgress: @escaping @Sendable (Int?) -> Void = { _ in },
        reading points: @Sendable ((AddressPoint) throws -> Void) throws -> Void
    ) async throws -> Outcome {
        try await run(by: author, on: database) { tables, db in
            var writer = PointWriter(tables: tables, isAbroad: isAbroad, onProgress: onProgress)
            try points { try writer.add($0, on: db) }
            try writer.flush(on: db)
            onProgress(nil)
            return writer.outcome
        }
    }

    /// `fill` writes into the tables of the new version, which has no readers yet.
    func run(
        by author: Author, on database: Database,
        filling fill: @Sendable (PointTables, isolated Connection) throws -> Outcome
    ) async throws -> Outcome {
        let tables = try await database.transaction { try begin(on: $0) }
        do {
            let read = try await database.run { try fill(tables, $0) }
            var outcome = try await database.transaction { try tables.pack(read, on: $0) }
            guard outcome.points > 0 || outcome.areas + outcome.streets > 0 else { throw NoPoints() }
            // Builds the indexes. Readers of other sets go on: only the new table is locked.
            try await database.run { try $0.run(script: tables.attach) }
            for script in tables.vacuum { try await database.run { try $0.run(script: script) } }
            let (former, chains) = try await database.transaction { [outcome] db in
                try replace(with: tables.id, outcome, by: author, on: db)
            }
            outcome.chains = chains
            for id in former { try await PointTables(id: id).drop(on: database) }
            return outcome
        } catch {
            // The next load also does this, if it can't be done now.
            try? await tables.drop(on: database)
            // The tables were dropped by another load of the same name.
            if (error as? DatabaseError)?.sqlState == "42P01" { throw Overtaken(name: name) }
            throw error
        }
    }

    /// Drops what interrupted loads of this name left, and creates the tables of a new version.
    private func begin(on database: isolated Connection) throws -> PointTables {
        let isKnown = try PointSetStore().sets(on: database).contains { $0.name == name }
        guard try isKnown || JobQueue().lanes(name, on: database).isEmpty else { throw NameTaken(name: name) }
        let left = try database.query(
            "DELETE FROM point_sets WHERE name = \(name) AND NOT is_current RETURNING id")
        for row in left { try database.run(script: PointTables(id: row.read("id")).dropScript) }
        let made = try database.query("INSERT INTO point_sets (name) VALUES (\(name)) RETURNING id")
        let tables = PointTables(id: try made[0].read("id"))
        try database.run(script: tables.create)
        return tables
    }

    /// Makes the version `id` the current one. Returns the former versions, and the chains of a new set.
    private func replace(
        with id: Int, _ outcome: Outcome, by author: Author, on database: isolated Connection
    ) throws -> (former: [Int], chains: [PointChain]) {
        let former = try database.query(
            """
            UPDATE point_sets SET is_current = false WHERE name = \(name) AND is_current
            RETURNING id, attribution, licence, dropped_at IS NOT NULL AS is_dropped
            """)
        let kept = try former.first.map {
            try ($0.read("attribution", as: String.self), $0.read("licence", as: String.self))
        }
        try database.query(
            """
            UPDATE point_sets
            SET is_current = true, loaded_at = now(), points = \(outcome.points), streets = \(outcome.streets),
                countries = \(outcome.countries), attribution = \(attribution ?? kept?.0 ?? ""),
                licence = \(licence ?? kept?.1 ?? ""), is_region = \(isRegion), areas = \(outcome.areas)
            WHERE id = \(id)
            """)
        guard let set = try PointSetStore().sets(on: database).first(where: { $0.id == id }) else {
            throw Overtaken(name: name)
        }
        try JobQueue().prepareLane(
            name, batch: PointSet.batch, limits: [], attribution: set.credit, on: database)
        try AuditLog().append(
            .loadPoints, name, after: ["points": "\(outcome.points)", "streets": "\(outcome.streets)"], by: author,
            on: database)
        try PointSetStore().tellOfChange(in: name, on: database)
        let isNew = try former.allSatisfy { try $0.read("is_dropped") }
        let chains = isNew ? try PointChain.place(name, by: author, on: database) : []
        return (try former.map { try $0.read("id") }, chains)
    }
}

/// Writes points in pieces of a transaction each, so that a long file holds no old snapshot in the database.
private struct PointWriter {
    let tables: PointTables
    let isAbroad: BorderCheck
    let onProgress: @Sendable (Int?) -> Void
    private(set) var outcome = PointLoad.Outcome()
    private var houses: [House] = []
    private var newStreets: [(id: Int, key: PointKey, point: AddressPoint)] = []
    /// The ids of recent streets, by their texts. Files contain the houses of a street near each other.
    private var known: [Street: Int] = [:]
    private var count = 0

    init(tables: PointTables, isAbroad: @escaping BorderCheck, onProgress: @escaping @Sendable (Int?) -> Void) {
        (self.tables, self.isAbroad, self.onProgress) = (tables, isAbroad, onProgress)
    }

    private struct House {
        let street: Int
        let value: Int
        let number: String
        let coordinate: Coordinate
    }

    private struct Street: Hashable {
        let street, city, district, region, postcode, country: String
    }

    private static let pieceSize = 50_000
    private static let mostKnown = 200_000

    mutating func add(_ point: AddressPoint, on database: isolated Connection) throws {
        if isAbroad(point.coordinate, point.countryCode) {
            outcome.abroad += 1
            return
        }
        let number = PointKey.number(point.number)
        guard !number.isEmpty, let street = street(of: point) else {
            outcome.incomplete += 1
            return
        }
        let value = Int(number.prefix(while: \.isNumber).prefix(9)) ?? 0
        houses.append(House(street: street, value: value, number: number, coordinate: point.coordinate))
        if houses.count == Self.pieceSize { try flush(on: database) }
    }

    /// Nil if the street could never be found. The id is the same for all spellings of the street.
    private mutating func street(of point: AddressPoint) -> Int? {
        let texts = Street(
            street: point.street, city: point.city, district: point.district, region: point.region,
            postcode: point.postcode, country: point.countryCode)
        if let id = known[texts] { return id }
        let key = point.key
        guard !key.name.isEmpty, key.town != nil || key.postcode != nil else { return nil }
        // Hasher's seed is the same for the whole process, and nothing of the id is stored.
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(point.region)
        hasher.combine(point.countryCode)
        let id = hasher.finalize()
        if known.count == Self.mostKnown { known = [:] }
        known[texts] = id
        newStreets.append((id, key, point))
        return id
    }

    mutating func flush(on database: isolated Connection) throws {
        try Task.checkCancellation()
        let (houses, streets, tables) = (houses, newStreets, tables)
        try database.transaction { database in
            try database.copy(into: tables.plainStreets) { rows in
                for (id, key, point) in streets {
                    try rows.append(
                        id, key.town, key.district, key.postcode, key.name, point.streetOrPlace, point.city,
                        point.district, point.region, point.postcode, point.countryCode, id)
                }
            }
            try database.copy(into: "\(identifier: tables.newHouses)") { rows in
                for house in houses {
                    try rows.append(
                        house.street, house.value, house.number, house.coordinate.storedLatitude,
                        house.coordinate.storedLongitude, 0)
                }
            }
        }
        count += houses.count
        self.houses.removeAll(keepingCapacity: true)
        newStreets.removeAll(keepingCapacity: true)
        onProgress(count)
    }
}

extension Coordinate {
    fileprivate var storedLatitude: Int { Int((latitude * Self.storedUnits).rounded()) }
    fileprivate var storedLongitude: Int { Int((longitude * Self.storedUnits).rounded()) }
}
