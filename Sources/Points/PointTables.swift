import Postgres

/// The tables of one version of a set: a partition of `point_streets`, and two that exist only while it is loaded.
struct PointTables: Sendable {
    let id: Int

    var streets: String { "point_streets_\(id)" }
    var newStreets: String { "point_streets_\(id)_names" }
    var newHouses: String { "point_streets_\(id)_houses" }

    /// The temporary tables are not in the write-ahead log. An interrupted load starts from the beginning.
    var create: String {
        """
        CREATE UNLOGGED TABLE \(newStreets) (
            id bigint, town_key bigint, district_key bigint, postcode_key bigint, name text COLLATE "C", street text,
            city text, district text, region text, postcode text, country text);
        CREATE UNLOGGED TABLE \(newHouses) (
            street bigint, value integer, number text COLLATE "C", latitude integer, longitude integer);
        CREATE TABLE \(streets) (LIKE point_streets INCLUDING CONSTRAINTS, CHECK (point_set = \(id)))
        """
    }

    var attach: String { "ALTER TABLE point_streets ATTACH PARTITION \(streets) FOR VALUES IN (\(id))" }

    var dropScript: String { "DROP TABLE IF EXISTS \(newStreets), \(newHouses), \(streets)" }

    /// Fills the partition with a row for each street, in the order of towns, so that neighbours share pages. Adds the
    /// counts to `outcome`.
    func pack(_ outcome: PointLoad.Outcome, on database: isolated Connection) throws -> PointLoad.Outcome {
        var outcome = outcome
        // Enough to sort some millions of houses without a file.
        try database.query("SET LOCAL work_mem = '256MB'")
        let all: Int = try database.query("SELECT count(*) AS number FROM \(identifier: newHouses)")[0].read("number")
        let packed = try database.query(
            """
            WITH packed AS (
                INSERT INTO \(identifier: streets) (
                    town_key, district_key, postcode_key, point_set, name, street, city, district, region, postcode, country,
                    numbers, latitudes, longitudes, area)
                SELECT town_key, district_key, postcode_key, \(id), name, names.street, city, district, region, postcode,
                       country, numbers, latitudes, longitudes, area
                FROM (
                    SELECT street, array_agg(number) AS numbers, array_agg(latitude) AS latitudes,
                           array_agg(longitude) AS longitudes,
                           box(point(min(longitude) / 1e7::float8, min(latitude) / 1e7::float8),
                               point(max(longitude) / 1e7::float8, max(latitude) / 1e7::float8)) AS area
                    FROM (
                        SELECT DISTINCT ON (street, value, number) street, number, latitude, longitude
                        FROM \(identifier: newHouses)
                        ORDER BY street, value, number
                    ) AS in_order
                    GROUP BY street
                ) AS houses
                JOIN (
                    SELECT DISTINCT ON (id) * FROM \(identifier: newStreets) ORDER BY id
                ) AS names ON names.id = houses.street
                ORDER BY town_key, name
                RETURNING cardinality(numbers) AS points, country
            )
            SELECT coalesce(sum(points), 0)::bigint AS points, count(*) AS streets,
                   coalesce(array_agg(DISTINCT country) FILTER (WHERE country <> ''), '{}') AS countries,
                   coalesce(bool_or(country = ''), false) AS is_open
            FROM packed
            """)[0]
        outcome.points = try packed.read("points")
        outcome.streets = try packed.read("streets")
        outcome.repeated = all - outcome.points
        outcome.countries = try packed.read("is_open") ? [] : packed.read("countries")
        try database.run(script: "DROP TABLE \(newStreets), \(newHouses)")
        return outcome
    }

    /// Drops the tables and the version. All readers of points wait while a partition is dropped, so it waits only
    /// shortly for its lock, and then tries again.
    func drop(on database: Database) async throws {
        try await Database.retrying(atMost: 100, where: { $0.sqlState == "55P03" }) {
            try await database.transaction { db in
                try db.query("SET LOCAL lock_timeout = '40ms'")
                try db.run(script: dropScript)
                try db.query("DELETE FROM point_sets WHERE id = \(id) AND NOT is_current")
            }
        }
    }
}
