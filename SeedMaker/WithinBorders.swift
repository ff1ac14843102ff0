import Foundation
import Geocoding
import Towns

/// Moves rows that lie in another country back over the border, and leaves out the ones that lie farther away.
struct WithinBorders {
    /// The columns of a line. The longitude follows the latitude.
    let country, latitude: Int

    /// About 5 km. Coordinates are rounded, and a town at a border may have its middle on the other side.
    private static let reach = 45
    private static let unit = 0.001

    /// The line, its changed form, or nil if the line is left out.
    func mended(_ line: [Substring]) -> [Substring]? {
        guard let point = PlausiblePostcodes.coordinate(line[latitude], line[latitude + 1]) else { return line }
        let found = CountryMap.shared.countries(at: point)
        guard !found.isEmpty, !found.contains(String(line[country])) else { return line }
        var line = line
        // GeoNames has parts of Macao with the code of China.
        if line[country] == "CN", found == ["MO"] {
            (line[country], line[country + 1], line[country + 2]) = ("MO", "", "")
            return line
        }
        // Jan Mayen, and the Isle of Man's postcodes of the United Kingdom.
        guard CountryMap.shared.isAbroad(point, from: String(line[country])) else { return line }
        for ring in 1...Self.reach {
            let inside = Self.around(point, ring).filter {
                CountryMap.shared.countries(at: $0) == [String(line[country])]
            }
            guard let nearest = inside.min(by: { $0.distance(to: point) < $1.distance(to: point) }) else { continue }
            line[latitude] = Substring(String(format: "%.3f", nearest.latitude))
            line[latitude + 1] = Substring(String(format: "%.3f", nearest.longitude))
            return line
        }
        return nil
    }

    /// The square of points around one, that many thousandths of a degree away.
    private static func around(_ point: Coordinate, _ ring: Int) -> [Coordinate] {
        (-ring...ring).flatMap { step in
            [(step, ring), (step, -ring), (ring, step), (-ring, step)].compactMap { north, east in
                Coordinate(
                    latitude: point.latitude + Double(north) * unit, longitude: point.longitude + Double(east) * unit)
            }
        }
    }
}
