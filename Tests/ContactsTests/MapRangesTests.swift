import DatabaseTesting
import Postgres
import Testing

@testable import Contacts

@Suite(.database)
struct MapRangesTests {
    private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> BoundingBox {
        try #require(BoundingBox(west: west, south: south, east: east, north: north))
    }

    @Test func `every place in a box has a key in the box's ranges, with the keys of the database`() async throws {
        for box in try [
            box(-180, -90, 180, 90), box(24.9, 60.1, 25, 60.2), box(179, -20, -179, 20), box(0, 0, 0, 0),
            box(-0.1, 51.4, 0.1, 51.6), box(170, -90, 180, -89), box(-180, 89.5, 180, 90), box(10.5, 10.5, 10.5, 10.5),
        ] {
            let ranges = MapRanges(covering: box)
            #expect(zip(ranges.lows, ranges.highs).allSatisfy { $0 <= $1 })
            #expect(ranges.lows == ranges.lows.sorted())
            #expect(ranges.lows.count <= 102 * MapRanges.levels)
            let missed: Int = try await Database.test.query(
                """
                SELECT count(*) AS missed
                FROM generate_series(0, 20) AS x, generate_series(0, 20) AS y,
                     LATERAL (SELECT \(box.west)::float8
                         + x / 20.0::float8 * (CASE WHEN \(box.crossesDateLine) THEN 360 ELSE 0 END
                                               + \(box.east)::float8 - \(box.west)::float8) AS wide) AS a,
                     LATERAL (SELECT CASE WHEN wide > 180 THEN wide - 360 ELSE wide END AS longitude) AS b,
                     LATERAL (SELECT map_key(x * 21 + y, least(\(box.south)::float8 + y / 20.0::float8
                         * (\(box.north)::float8 - \(box.south)::float8), \(box.north)::float8),
                         CASE WHEN \(box.crossesDateLine) THEN longitude
                              ELSE least(longitude, \(box.east)::float8) END) AS map_key
                         -- Computes each key once.
                         OFFSET 0) AS c
                WHERE NOT (\(part: ranges.condition)) OR NOT EXISTS (
                    SELECT FROM unnest(\(ranges.lows), \(ranges.highs)) AS range (low, high)
                    WHERE map_key BETWEEN low AND high)
                """)[0].read("missed")
            #expect(missed == 0, "\(box)")
        }
    }

    @Test func `a box with its south above its north has no ranges, and a small box covers little else`() throws {
        #expect(try MapRanges(covering: box(0, 10, 10, 0)).lows.isEmpty)
        let ranges = try MapRanges(covering: box(24.9, 60.1, 25, 60.2))
        let size = zip(ranges.lows, ranges.highs).map { Double($1 - $0 + 1) }.reduce(0, +) / Double(MapRanges.levels)
        let own = 0.1 / 360 * 0.1 / 180 * 0x1p58
        #expect(size < 2 * own)
    }

    @Test func `a place outside a box is recognized by its key alone`() async throws {
        for box in try [box(24.9, 60.1, 25, 60.2), box(179, -20, -179, 20), box(-0.1, -51.4, 0.1, 51.6)] {
            let found = try await Database.test.query(
                """
                SELECT latitude, longitude
                FROM generate_series(-898, 898, 7) AS tenths, generate_series(-1799, 1799, 13) AS wide,
                     LATERAL (SELECT tenths / 10.0::float8 AS latitude, wide / 10.0::float8 AS longitude) AS place,
                     LATERAL (SELECT map_key(tenths * 10000 + wide, latitude, longitude) AS map_key OFFSET 0) AS key
                WHERE \(part: MapRanges(covering: box).condition)
                """
            ).map { try ($0.read("latitude", as: Double.self), $0.read("longitude", as: Double.self)) }
            // The grid's steps are smaller than a millionth of a degree.
            let slack = 1e-6
            let isBeside = found.contains { latitude, longitude in
                latitude < box.south - slack || latitude > box.north + slack
                    || (box.crossesDateLine
                        ? longitude < box.west - slack && longitude > box.east + slack
                        : longitude < box.west - slack || longitude > box.east + slack)
            }
            #expect(!isBeside, "\(box)")
            #expect(box.crossesDateLine ? !found.isEmpty : true)
        }
    }
}
