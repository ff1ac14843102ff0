import Formats
package import Geocoding
package import Postgres
package import Queue

/// Loads an extract of OpenStreetMap as a set with streets, houses, areas and places.
package struct RegionLoad: Sendable {
    package let name: String
    package var country: Country?
    package var withoutHouses = false
    /// Houses in another country than their town are left out.
    package var isAbroad: BorderCheck = { _, _ in false }

    package init(_ name: String) { self.name = name }

    private static let attribution = "© OpenStreetMap contributors"
    private static let licence = "ODbL 1.0"

    /// Gives each house its street.
    package func join(_ objects: RegionObjects) throws -> RegionJoin {
        var join = try RegionJoin(objects, country: country)
        if !withoutHouses { try join.matchHouses() }
        return join
    }

    package func run(
        _ join: RegionJoin, by author: Author, on database: Database,
        onProgress: @escaping @Sendable (Int?) -> Void = { _ in }
    ) async throws -> PointLoad.Outcome {
        var load = PointLoad(name)
        (load.attribution, load.licence, load.isRegion) = (Self.attribution, Self.licence, true)
        return try await load.run(by: author, on: database) { tables, db in
            var writer = RegionWriter(join, tables: tables, isAbroad: isAbroad, onProgress: onProgress)
            try writer.writeAreas(on: db)
            try writer.writePlaces(on: db)
            if !withoutHouses { try writer.writeHouses(on: db) }
            try writer.writeStreets(on: db)
            onProgress(nil)
            return writer.outcome
        }
    }
}
