import Formats
import Glibc

/// Distances of positions in metres, exact enough for some kilometres.
struct LocalMetres {
    private let origin: MapPosition
    private let share: Double

    /// A unit of a position, along a meridian.
    private static let unit = 0.011_131_949

    init(around origin: MapPosition) {
        self.origin = origin
        share = max(cos(Double(origin.latitude) / 1e7 * .pi / 180), 0.01)
    }

    /// East and north of the origin.
    func point(_ position: MapPosition) -> (x: Double, y: Double) {
        (
            (Double(position.longitude) - Double(origin.longitude)) * Self.unit * share,
            (Double(position.latitude) - Double(origin.latitude)) * Self.unit
        )
    }

    func distance(to position: MapPosition) -> Double {
        let (x, y) = point(position)
        return (x * x + y * y).squareRoot()
    }

    /// Returns the position of a line that is nearest to the origin; nil if the line is empty.
    func nearest(on line: some Sequence<MapPosition>) -> (position: MapPosition, distance: Double)? {
        var nearest: (x: Double, y: Double, square: Double)?
        var last: (x: Double, y: Double)?
        for position in line {
            let (x, y) = point(position)
            let begin = last ?? (x, y)
            let (stepX, stepY) = (x - begin.x, y - begin.y)
            let length = stepX * stepX + stepY * stepY
            let share = length > 0 ? min(1, max(0, -(begin.x * stepX + begin.y * stepY) / length)) : 0
            let (nearX, nearY) = (begin.x + share * stepX, begin.y + share * stepY)
            let square = nearX * nearX + nearY * nearY
            if square < nearest?.square ?? .infinity { nearest = (nearX, nearY, square) }
            last = (x, y)
        }
        return nearest.map { near in
            let north = Double(origin.latitude) + near.y / Self.unit
            let east = Double(origin.longitude) + near.x / Self.unit / share
            return (
                MapPosition(
                    latitude: Int32(clamping: Int(north.rounded())), longitude: Int32(clamping: Int(east.rounded()))),
                near.square.squareRoot()
            )
        }
    }
}

/// The smallest box around positions.
struct MapBox {
    private(set) var south = Int32.max
    private(set) var west = Int32.max
    private(set) var north = Int32.min
    private(set) var east = Int32.min

    mutating func add(_ position: MapPosition) {
        (south, north) = (min(south, position.latitude), max(north, position.latitude))
        (west, east) = (min(west, position.longitude), max(east, position.longitude))
    }

    mutating func add(_ box: MapBox) {
        (south, north) = (min(south, box.south), max(north, box.north))
        (west, east) = (min(west, box.west), max(east, box.east))
    }

    /// The nearest position of the box.
    func nearest(to position: MapPosition) -> MapPosition {
        MapPosition(
            latitude: min(max(position.latitude, south), north), longitude: min(max(position.longitude, west), east))
    }

    /// The distance between two boxes, in metres.
    func distance(to other: MapBox) -> Double {
        let middle = MapPosition(latitude: other.south, longitude: other.west)
        let own = nearest(to: middle)
        return LocalMetres(around: own).distance(to: other.nearest(to: own))
    }

    /// As a value of PostgreSQL's type `box`.
    var text: String { "(\(Double(east) / 1e7),\(Double(north) / 1e7)),(\(Double(west) / 1e7),\(Double(south) / 1e7))" }
}

/// Finds the streets, or places, near a position. A sorted list of squares, with the streets that touch each.
struct StreetGrid {
    /// The length of a square in the unit of positions. A hundredth of a degree is a kilometre.
    private let side: Int64
    private var entries: [(square: Int64, street: UInt32)] = []

    private static let most: Int64 = 30

    init(side: Int64 = 100_000) { self.side = side }

    private static func number(_ latitude: Int64, _ longitude: Int64) -> Int64 {
        latitude << 32 | (longitude & 0xffff_ffff)
    }

    private func square(_ position: MapPosition) -> (latitude: Int64, longitude: Int64) {
        (
            (Int64(position.latitude) + 900_000_000) / side, (Int64(position.longitude) + 1_800_000_000) / side
        )
    }

    /// Adds a line of a street.
    mutating func add(_ line: some Sequence<MapPosition>, of street: UInt32) {
        var last: MapPosition?
        for position in line {
            let other = square(position)
            var one = square(last ?? position)
            // A segment touches at most the squares of the box around it. Of a longer one than any street has, only the
            // end counts.
            if max(abs(one.latitude - other.latitude), abs(one.longitude - other.longitude)) > Self.most { one = other }
            for latitude in min(one.latitude, other.latitude)...max(one.latitude, other.latitude) {
                for longitude in min(one.longitude, other.longitude)...max(one.longitude, other.longitude) {
                    let number = Self.number(latitude, longitude)
                    if entries.last.map({ $0 == (number, street) }) != true { entries.append((number, street)) }
                }
            }
            last = position
        }
    }

    mutating func sort() { entries.sort { $0 < $1 } }

    /// Calls `body` with each street in the square of the position and in the eight around it, perhaps repeatedly.
    func forEachStreet(near position: MapPosition, _ body: (UInt32) -> Void) {
        let (latitude, longitude) = square(position)
        for row in (latitude - 1)...(latitude + 1) {
            for column in (longitude - 1)...(longitude + 1) {
                let number = Self.number(row, column)
                var (low, high) = (0, entries.count)
                while low < high {
                    let middle = (low + high) / 2
                    if entries[middle].square < number { low = middle + 1 } else { high = middle }
                }
                var last: UInt32?
                while low < entries.count, entries[low].square == number {
                    if entries[low].street != last { body(entries[low].street) }
                    last = entries[low].street
                    low += 1
                }
            }
        }
    }
}
