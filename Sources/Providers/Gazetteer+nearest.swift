import Geocoding
import Postgres

extension Gazetteer {
    /// Farther from any town, nobody would say that a place lies in it.
    private static let farthest = 50_000.0

    /// The nearest town to each coordinate.
    func nearest(to coordinates: [Coordinate], on database: isolated Connection) throws -> [Answer] {
        let rows = try database.query(
            """
            SELECT asked.number, place.name, place.region, place.country, place.latitude, place.longitude
            FROM unnest(\(coordinates.map(\.latitude)), \(coordinates.map(\.longitude)))
                WITH ORDINALITY AS asked (latitude, longitude, number),
            LATERAL (
                SELECT * FROM gazetteer_places
                ORDER BY on_the_sphere(gazetteer_places.latitude, gazetteer_places.longitude)
                         <-> on_the_sphere(asked.latitude, asked.longitude)
                LIMIT 1
            ) AS place
            """)
        var answers = [Answer](repeating: .notFound, count: coordinates.count)
        for row in rows {
            let number: Int = try row.read("number")
            guard let town = try Coordinate(latitude: row.read("latitude"), longitude: row.read("longitude")) else {
                continue
            }
            guard town.distance(to: coordinates[number - 1]) <= Self.farthest else { continue }
            var place = Placemark(coordinate: town)
            place.locality = try row.read("name")
            place.administrativeArea = try row.read("region")
            place.countryCode = try row.read("country")
            answers[number - 1] = .located(place, .city)
        }
        return answers
    }
}
