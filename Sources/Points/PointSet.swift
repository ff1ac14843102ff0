package import Geocoding
package import Postgres
package import Questions
import Queue

/// A set of address points: the current version of open data that was loaded under one name.
package struct PointSet: Identifiable, Hashable, Sendable {
    package let id: Int
    /// Also the name of its lane.
    package let name: String
    package let attribution: String
    package let licence: String
    /// The codes of its countries; empty if the data did not say.
    package let countries: [String]
    package let points: Int
    package let streets: Int
    /// It has streets without houses, places, and this number of areas with a border.
    package let isRegion: Bool
    package let areas: Int
    /// On the database's clock, since 1970.
    package let loadedAt: Duration
    /// Its points were deleted. Its lane still answers, that it has no place.
    package let isDropped: Bool

    package var terms: ProviderTerms {
        ProviderTerms(
            batch: Self.batch, forms: [.structured], canReverse: true,
            countries: countries.isEmpty ? nil : Set(countries),
            // A search tries all spellings and neighbours at once, so another step would find the same.
            steps: [.structured], use: .own(link: "", read: "the licence that 'points load' got", attribution: credit))
    }

    /// The attribution with the licence, as it is shown next to the places.
    package var credit: String { [attribution, licence].filter { !$0.isEmpty }.joined(separator: ", ") }

    package static let batch = 500
}

/// The table `point_sets`.
package struct PointSetStore: Sendable {
    package init() {}

    /// Returns the current version of each set, also of those whose points were deleted.
    package func sets(on database: isolated Connection) throws -> [PointSet] {
        try database.query(
            """
            SELECT id, name, attribution, licence, countries, points, streets, is_region, areas,
                   extract(epoch FROM loaded_at) AS loaded, dropped_at IS NOT NULL AS is_dropped
            FROM point_sets
            WHERE is_current
            ORDER BY name
            """
        ).map { row in
            try PointSet(
                id: row.read("id"), name: row.read("name"), attribution: row.read("attribution"),
                licence: row.read("licence"), countries: row.read("countries"), points: row.read("points"),
                streets: row.read("streets"), isRegion: row.read("is_region"),
                areas: row.read("areas"), loadedAt: row.read("loaded"), isDropped: row.read("is_dropped"))
        }
    }

    /// Returns the set with this name, unless its points were deleted.
    package func set(_ name: String, on database: isolated Connection) throws -> PointSet {
        guard let set = try sets(on: database).first(where: { $0.name == name && !$0.isDropped }) else {
            throw NoSuchPoints(name: name)
        }
        return set
    }

    /// Tells workers that the lane's work must be made again.
    func tellOfChange(in lane: String, on database: isolated Connection) throws {
        try database.query("SELECT pg_notify(\(JobQueue.lanesChannel), \(lane))")
    }

    /// Returns the providers of the sets, for a process that needs no lanes.
    package func providers(in database: Database, guide: PointGuide = PointGuide()) async throws -> [PointProvider] {
        try await database.run { try sets(on: $0) }.map {
            PointProvider($0, in: database, guide: guide)
        }
    }

    /// Returns the lanes that a worker serves. A new version of a set has another id, so the work is made again, with
    /// the new terms.
    package func lanes(
        on database: isolated Connection, guide: PointGuide = PointGuide(),
        makeWork: @escaping @Sendable (PointProvider) -> any LaneWork
    ) throws -> [ChangingLane] {
        try sets(on: database).map { set in
            ChangingLane(name: set.name, version: "points \(set.id)") {
                makeWork(PointProvider(set, in: $0, guide: guide))
            }
        }
    }
}
