import Formats
import Foundation
import Geocoding
import Points
import Postgres
import Queue

/// A region: the rate of its load, its size, and look-ups of its houses by two callers. `--extract` names another map.
enum RegionBenchmark {
    static func run(_ options: Options) async throws {
        let path = options.text("extract") ?? "deploy/sample/liechtenstein.osm.pbf"
        let asked = try options.integer("addresses", 100_000)
        try await Scratch.with("region") { scratch in
            let database = Database(url: scratch.url, options: .init(size: 2))
            let (start, cpu) = (ContinuousClock.now, cpuTime(of: getpid()))
            func tell(_ step: String) {
                print(title(step), column(seconds(since: start)), "s, CPU", ratio(cpuTime(of: getpid()) - cpu), "s")
            }
            let load = RegionLoad("bench")
            let extract = try MapExtract(path: path)
            let objects = try RegionObjects(reading: extract)
            tell("region, read")
            let join = try load.join(objects)
            tell("joined")
            _ = try await load.run(join, by: .user("bench", on: "here"), on: database)
            tell("loaded")
            print(title("houses"), column(Double(join.counts.houses)), "of", join.counts.streets, "streets")
            let size = try await scratch.number(
                """
                SELECT sum(pg_total_relation_size(inhrelid))::bigint AS number
                FROM pg_inherits WHERE inhparent::regclass::text LIKE 'point_%'
                """)
            print(title("megabytes in the database"), column(Double(size) / 1e6))
            let set = try await database.run { try PointSetStore().sets(on: $0)[0] }
            let provider = PointProvider(set, in: database)
            let houses = try await houses(asked, of: set, in: database)
            guard !houses.isEmpty else { return await database.close() }
            @Sendable func part(_ index: Int) -> [House] {
                (index..<index + PointsBenchmark.batch).map { houses[$0 % houses.count] }
            }
            try await PointsBenchmark.measure("addresses of a region", asked, scratch) { index in
                try await provider.geocode(part(index).map { Query($0.address) }).count { $0 != .notFound }
            }
            try await PointsBenchmark.measure("coordinates of a region", asked, scratch) { index in
                try await provider.reverseGeocode(part(index).map(\.place)).count { $0 != .notFound }
            }
            await database.close()
        }
    }

    private struct House {
        let address: Address
        let place: Coordinate
    }

    private static func houses(_ count: Int, of set: PointSet, in database: Database) async throws -> [House] {
        try await database.run { db throws in
            try db.query(
                """
                SELECT street, city, postcode, country, numbers[1] AS number, latitudes[1] / 1e7::float8 AS latitude,
                       longitudes[1] / 1e7::float8 AS longitude
                FROM point_streets
                WHERE point_set = \(set.id) AND numbers <> '{}' AND NOT is_alias
                ORDER BY md5(name || town_key)
                LIMIT \(count)
                """
            ).compactMap { row in
                let place = try Coordinate(latitude: row.read("latitude"), longitude: row.read("longitude"))
                let (street, number): (String, String) = (try row.read("street"), try row.read("number"))
                let address = try Address(
                    street: "\(street) \(number)", city: row.read("city"), postcode: row.read("postcode"),
                    country: row.read("country"))
                return place.map { House(address: address, place: $0) }
            }
        }
    }
}
