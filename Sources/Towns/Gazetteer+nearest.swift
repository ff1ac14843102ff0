package import Geocoding

extension Gazetteer {
    /// A coordinate that is farther from a town does not belong to it.
    private static let farthest = 50_000.0

    /// The town nearest to a coordinate, in the country of the coordinate if that is known.
    package func nearest(to coordinate: Coordinate) -> Candidate? {
        let countries = CountryMap.shared.keys(at: coordinate)
        let here = Position(latitude: coordinate.latitude, longitude: coordinate.longitude)
        let height = Self.farthest / 111_195
        // Near a pole all meridians are close together.
        let reach = abs(here.latitude) + height < 89 ? cosine(abs(here.latitude) + height) : 0
        let width = reach > 0.003 ? min(height / reach, 180) : 180
        let rows = TownGrid.row(here.latitude - height)...TownGrid.row(here.latitude + height)
        let first = TownGrid.column(here.longitude - width)
        let last = min(TownGrid.column(here.longitude + width), first + TownGrid.columns - 1)
        let cells = image.pointer(to: .cells, as: UInt32.self)
        let list = image.pointer(to: .placesByCell, as: UInt32.self)
        var best: (place: Int, distance: Double)?
        for row in rows {
            for column in first...last {
                let cell = TownGrid.cell(row: row, column: column)
                for index in Int(cells[cell])..<Int(cells[cell + 1]) {
                    let place = Int(list[index])
                    let distance = places[place].coordinate.distance(to: here)
                    if distance < best?.distance ?? Self.farthest * 1.02,
                        countries.isEmpty || countries.contains(places[place].country)
                    {
                        best = (place, distance)
                    }
                }
            }
        }
        guard let best else { return nil }
        let found = places[best.place]
        guard let town = Coordinate(latitude: found.coordinate.latitude, longitude: found.coordinate.longitude),
            town.distance(to: coordinate) <= Self.farthest
        else { return nil }
        var place = Placemark(coordinate: town)
        place.locality = image.string(at: found.name)
        place.administrativeArea = image.string(at: regions[Int(found.region)].name)
        place.countryCode = CountryKey(found.country).code
        return Candidate(place, .city)
    }

    private func cosine(_ degrees: Double) -> Double {
        // The length of a degree here, relative to one at the equator.
        Position(latitude: degrees, longitude: 0).distance(to: Position(latitude: degrees, longitude: 1)) / 111_320
    }
}
