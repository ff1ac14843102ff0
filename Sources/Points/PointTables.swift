import Postgres

/// The tables of one version of a set: partitions, and two tables that exist only while it is loaded.
struct PointTables: Sendable {
    let id: Int

    var streets: String { "point_streets_\(id)" }
    /// Only of regions.
    var areas: String { "point_areas_\(id)" }
    var cells: String { "point_cells_\(id)" }
    var places: String { "point_places_\(id)" }
    var newStreets: String { "point_streets_\(id)_names" }
    var newHouses: String { "point_streets_\(id)_houses" }

    /// The temporary tables are not in the write-ahead log. An interrupted load starts from the beginning.
    var create: String {
        """
        CREATE UNLOGGED TABLE \(newStreets) (
            id bigint, town_key bigint, district_key bigint, postcode_key bigint, name text COLLATE "C", street text,
            city text, district text, region text, postcode text, country text, houses bigint, area_id integer,
            is_interpolated boolean, latitude integer, longitude integer, line bytea, area box);
        CREATE UNLOGGED TABLE \(newHouses) (
            street bigint, value integer, number text COLLATE "C", latitude integer, longitude integer, rank integer);
        """
            + partitions.map {
                "CREATE TABLE \($1) (LIKE \($0) INCLUDING CONSTRAINTS INCLUDING DEFAULTS, CHECK (point_set = \(id)));"
            }.joined()
    }

    /// The columns of a street of points.
    var plainStreets: SQL {
        """
        \(identifier: newStreets) (
            id, town_key, district_key, postcode_key, name, street, city, district, region, postcode, country, houses)
        """
    }

    private var partitions: [(parent: String, table: String)] {
        [("point_streets", streets), ("point_areas", areas), ("point_cells", cells), ("point_places", places)]
    }

    var attach: String {
        partitions.map { "ALTER TABLE \($0) ATTACH PARTITION \($1) FOR VALUES IN (\(id));" }.joined()
    }

    /// Marks all pages as visible, so that names are read from an index alone.
    var vacuum: [String] { partitions.map { "VACUUM (ANALYZE) \($1)" } }

    var dropScript: String {
        "DROP TABLE IF EXISTS " + (partitions.map(\.table) + [newStreets, newHouses]).joined(separator: ", ")
    }

    /// Fills the partition with a row for each street, in the order of towns, so that neighbours share pages. Adds the
    /// counts to `outcome`. Of points with one rank, a number has one.
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
                    numbers, latitudes, longitudes, area, area_id, is_alias, is_interpolated, latitude, longitude, line)
                SELECT town_key, district_key, postcode_key, \(id), name, names.street, city, district, region, postcode,
                       country, coalesce(numbers, '{}'), coalesce(latitudes, '{}'), coalesce(longitudes, '{}'),
                       coalesce(bound_box(houses.area, names.area), houses.area, names.area), area_id,
                       id <> names.houses, coalesce(is_interpolated, false), latitude, longitude, line
                FROM (
                    SELECT street, array_agg(number) AS numbers, array_agg(latitude) AS latitudes,
                           array_agg(longitude) AS longitudes,
                           box(point(min(longitude) / 1e7::float8, min(latitude) / 1e7::float8),
                               point(max(longitude) / 1e7::float8, max(latitude) / 1e7::float8)) AS area
                    FROM (
                        SELECT DISTINCT ON (street, value, number, rank) street, number, latitude, longitude
                        FROM \(identifier: newHouses)
                        ORDER BY street, value, number, rank
                    ) AS in_order
                    GROUP BY street
                ) AS houses
                RIGHT JOIN (
                    SELECT DISTINCT ON (id) * FROM \(identifier: newStreets) ORDER BY id
                ) AS names ON names.houses = houses.street
                WHERE houses.area IS NOT NULL OR names.area IS NOT NULL
                ORDER BY town_key, name
                RETURNING cardinality(numbers) AS points, country, is_alias
            )
            SELECT coalesce(sum(points), 0)::bigint AS points, count(*) AS streets,
                   coalesce(array_agg(DISTINCT country) FILTER (WHERE country <> ''), '{}') AS countries,
                   coalesce(bool_or(country = ''), false) AS is_open
            FROM packed
            WHERE NOT is_alias
            """)[0]
        outcome.points = try packed.read("points")
        // A region has counted its streets. Some have several rows.
        if outcome.streets == 0 { outcome.streets = try packed.read("streets") }
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
