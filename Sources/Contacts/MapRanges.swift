import Geocoding
import Postgres

/// The ranges of numbers that `map_key()` gives to the addresses in a part of the map: the counterpart of
/// `sql/functions/map_key.sql`.
///
/// The Earth is divided into four quarters again and again, until the quarters that touch the part cover little outside
/// it. All addresses of a quarter have numbers in one range on each level. The levels follow one another. So reading
/// the ranges in order until there are enough rows gives a fair sample of the part.
struct MapRanges: Equatable {
    private(set) var lows: [Int] = []
    private(set) var highs: [Int] = []
    private let west, east, south, north: Int
    private let crossesDateLine: Bool

    static let levels = 12
    private static let bits = 29

    /// Makes about `most` ranges on each level. With few ranges, a large town just outside the part is covered too:
    /// then a hundred thousand addresses are read for a thousand.
    init(covering box: BoundingBox, most: Int = 100) {
        crossesDateLine = box.crossesDateLine
        west = Self.spread(Self.step(box.west + 180, of: 360))
        east = Self.spread(Self.step(box.east + 180, of: 360))
        south = Self.spread(Self.step(box.south + 90, of: 180)) << 1
        north = Self.spread(Self.step(box.north + 90, of: 180)) << 1
        var quarters: [Quarter] = []
        let parts = Self.parts(of: box)
        for part in parts { quarters += Self.cover(part, most: max(1, most / parts.count)) }
        var ranges: [(low: Int, high: Int)] = []
        for range in quarters.map(\.range).sorted(by: { $0.low < $1.low }) {
            guard let last = ranges.last, last.high + 1 >= range.low else {
                ranges.append(range)
                continue
            }
            ranges[ranges.count - 1].high = max(last.high, range.high)
        }
        for level in 0..<Self.levels {
            for range in ranges {
                lows.append(level << (2 * Self.bits) | range.low)
                highs.append(level << (2 * Self.bits) | range.high)
            }
        }
    }

    /// The condition that a `map_key` is really in the part, because a range may cover more. It needs no lookup of the
    /// place: the bits of longitude and of latitude stay in order although others are between them.
    var condition: SQL {
        let (wide, high) = (0x0155_5555_5555_5555, 0x02AA_AAAA_AAAA_AAAA)
        return """
            map_key & \(high)::bigint BETWEEN \(south)::bigint AND \(north)::bigint
            AND CASE WHEN \(crossesDateLine)::boolean
                     THEN map_key & \(wide)::bigint >= \(west)::bigint OR map_key & \(wide)::bigint <= \(east)::bigint
                     ELSE map_key & \(wide)::bigint BETWEEN \(west)::bigint AND \(east)::bigint END
            """
    }

    /// A part of the map in steps of the grid, both ends included.
    private struct Window {
        let east: ClosedRange<Int>
        let north: ClosedRange<Int>
    }

    /// A box across the date line consists of two parts.
    private static func parts(of box: BoundingBox) -> [Window] {
        guard box.south <= box.north else { return [] }
        let north = step(box.south + 90, of: 180)...step(box.north + 90, of: 180)
        let (west, east) = (step(box.west + 180, of: 360), step(box.east + 180, of: 360))
        let last = (1 << bits) - 1
        return box.crossesDateLine
            ? [Window(east: west...last, north: north), Window(east: 0...east, north: north)]
            : [Window(east: west...east, north: north)]
    }

    /// Computed as the database does it, so that both round in the same direction.
    private static func step(_ degrees: Double, of all: Double) -> Int {
        min(Int((degrees / all * Double(1 << bits)).rounded(.down)), (1 << bits) - 1)
    }

    /// Divides the quarter with the largest area outside, until there are `most` quarters.
    private static func cover(_ window: Window, most: Int) -> [Quarter] {
        var quarters = [Quarter(east: 0, north: 0, depth: 0)]
        while true {
            let wasteful = quarters.indices.max { quarters[$0].waste(in: window) < quarters[$1].waste(in: window) }
            guard let wasteful, quarters[wasteful].waste(in: window) > 0, quarters[wasteful].depth < bits else {
                return quarters
            }
            let parts = quarters[wasteful].parts.filter { $0.share(in: window) > 0 }
            guard quarters.count - 1 + parts.count <= most else { return quarters }
            quarters.replaceSubrange(wasteful...wasteful, with: parts)
        }
    }

    private struct Quarter {
        let east: Int
        let north: Int
        let depth: Int

        private var size: Int { 1 << (MapRanges.bits - depth) }

        var parts: [Quarter] {
            [0, 1].flatMap { up in
                [0, 1].map { right in
                    Quarter(east: east + right * size / 2, north: north + up * size / 2, depth: depth + 1)
                }
            }
        }

        /// How many squares of the grid are in the window.
        func share(in window: Window) -> Double {
            let width = min(east + size - 1, window.east.upperBound) - max(east, window.east.lowerBound) + 1
            let height = min(north + size - 1, window.north.upperBound) - max(north, window.north.lowerBound) + 1
            return width > 0 && height > 0 ? Double(width) * Double(height) : 0
        }

        func waste(in window: Window) -> Double { Double(size) * Double(size) - share(in: window) }

        var range: (low: Int, high: Int) {
            let low = MapRanges.spread(north) << 1 | MapRanges.spread(east)
            return (low, low + (1 << (2 * (MapRanges.bits - depth))) - 1)
        }
    }

    /// Inserts a zero bit after each bit.
    private static func spread(_ value: Int) -> Int {
        var bits = value
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }
}
