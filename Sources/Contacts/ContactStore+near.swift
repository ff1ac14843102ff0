package import Geocoding
import Glibc
package import Postgres

extension ContactStore {
    /// Returns up to `limit` located addresses of an account, the nearest to `point` first, each with its distance in
    /// metres.
    ///
    /// It searches around the point, with a radius four times as large each time, until there are enough.
    package func places(
        near point: Coordinate, account: Int, limit: Int, isComplete: Bool = true, on database: isolated Connection
    ) throws -> [(place: MappedPlace, metres: Double)] {
        var radius = 1_000.0
        while true {
            let box = BoundingBox(around: point, metres: radius)
            let found = try places(in: box, near: point, account: account, limit: limit, isComplete, on: database)
            // A place farther away than the radius may have nearer neighbours outside the box.
            let certain = found.count { $0.metres <= radius }
            if certain >= limit || radius >= Self.farthest { return found }
            radius *= 4
        }
    }

    /// Half the way around the Earth.
    private static let farthest = 20_038_000.0

    private func places(
        in box: BoundingBox, near point: Coordinate, account: Int, limit: Int, _ isComplete: Bool,
        on database: isolated Connection
    ) throws -> [(place: MappedPlace, metres: Double)] {
        try database.query(
            """
            SELECT *,
                   2 * 6371008.8 * asin(least(1, sqrt(
                       sin(radians(latitude - \(point.latitude)::float8) / 2) ^ 2
                       + cos(radians(latitude)) * cos(radians(\(point.latitude)::float8))
                       * sin(radians(longitude - \(point.longitude)::float8) / 2) ^ 2))) AS metres
            FROM (\(part: Self.located(in: box, account: account, isComplete: isComplete))) AS place
            ORDER BY metres, id
            LIMIT \(limit)
            """
        ).map { (place: try MappedPlace($0, isComplete: isComplete), metres: try $0.read("metres")) }
    }
}

extension BoundingBox {
    /// A box that contains every place within this many metres.
    fileprivate init(around point: Coordinate, metres: Double) {
        let height = metres * 1.01 / 111_195
        let (south, north) = (max(-90, point.latitude - height), min(90, point.latitude + height))
        // The meridians converge towards a pole.
        let narrowest = min(cosine(south), cosine(north))
        let width = narrowest > 0.01 ? height / narrowest : 360
        let isAround = width >= 180
        let (west, east) = (point.longitude - width, point.longitude + width)
        self.init(
            known: isAround ? -180 : west < -180 ? west + 360 : west, south,
            isAround ? 180 : east > 180 ? east - 360 : east, north)
    }
}

private func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
