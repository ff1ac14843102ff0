package import Formats

/// A leaf of the quadtree: the areas that fill a square, and the rings of those with a border in it.
///
/// Leaves do not overlap. The leaf of a position is the one with the largest number not above ``number(at:)``, if it
/// ``contains(_:)`` the position; otherwise no area contains it.
package struct AreaCell: Hashable, Sendable {
    /// The number of the square, by which leaves are found.
    package let cell: Int64
    package let depth: Int
    /// The ids of areas that fill the square.
    package let inside: [Int]
    /// The rings of other areas, cut to the square.
    ///
    /// For each area: its id, its number of rings, and for each ring the number of corners and then the corners, as
    /// differences to the corner before. All numbers are varints. The first corner is relative to the square's.
    package let edge: [UInt8]

    package static let mostDepth = 22
    /// A square with more corners is split.
    package static let mostCorners = 64

    package init(cell: Int64, depth: Int, inside: [Int], edge: [UInt8]) {
        (self.cell, self.depth, self.inside, self.edge) = (cell, depth, inside, edge)
    }

    /// The number to look for: `WHERE cell <= number ORDER BY cell DESC LIMIT 1`.
    package static func number(at position: MapPosition) -> Int64 { CellSquare.number(at: position) }

    /// True if the position is in the square. If it is not, it is in no square: then no area contains it.
    package func contains(_ position: MapPosition) -> Bool {
        guard (0...Self.mostDepth).contains(depth) else { return false }
        let bits = Int64(2 * (32 - depth))
        return bits == 64 || cell >> bits == Self.number(at: position) >> bits
    }

    package struct Damage: Error, CustomStringConvertible {
        package let description = "the cells of areas are damaged; load the region again"
    }

    /// The ids of the areas that contain a position in the square. A position on a border is in one of two neighbours.
    package func areas(containing position: MapPosition) throws(Damage) -> [Int] {
        guard contains(position) else { return [] }
        guard !edge.isEmpty else { return inside }
        guard let square = CellSquare(cell: cell, depth: depth) else { throw Damage() }
        var result = inside
        var ray = Ray(from: position)
        var reader = EdgeReader(edge)
        while !reader.isAtEnd {
            let id = try reader.number(below: Int(Int32.max))
            ray.isInside = false
            for _ in 0..<(try reader.number(below: edge.count)) {
                let count = try reader.number(below: edge.count)
                guard count > 0 else { throw Damage() }
                let first = try reader.corner(after: GridPoint(x: square.x, y: square.y), in: square)
                var last = first
                for _ in 1..<count {
                    let next = try reader.corner(after: last, in: square)
                    ray.pass(last, next)
                    last = next
                }
                ray.pass(last, first)
            }
            if ray.isInside { result.append(id) }
        }
        return result
    }

    /// The bytes for `edge`.
    static func edge(_ areas: [(id: Int, rings: [[GridPoint]])], in square: CellSquare) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ value: Int) {
            var rest = UInt(value)
            while rest >= 0x80 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        func add(difference value: Int32) { add(Int((value << 1) ^ (value >> 31))) }
        for (id, rings) in areas {
            add(id)
            add(rings.count)
            for ring in rings {
                add(ring.count)
                var last = GridPoint(x: square.x, y: square.y)
                for point in ring {
                    add(difference: point.x - last.x)
                    add(difference: point.y - last.y)
                    last = point
                }
            }
        }
        return bytes
    }
}

/// A ray to the east of a position: https://wrfranklin.org/Research/Short_Notes/pnpoly.html
private struct Ray {
    private let x, y: Int64
    var isInside = false

    init(from position: MapPosition) {
        (x, y) = (Int64(position.longitude) + 1_800_000_000, Int64(position.latitude) + 900_000_000)
    }

    /// Notes a side of a ring. The result does not depend on its direction, so neighbours agree on their border.
    @inline(__always)
    mutating func pass(_ first: GridPoint, _ second: GridPoint) {
        let (firstY, secondY) = (Int64(first.y) << 3, Int64(second.y) << 3)
        guard (firstY > y) != (secondY > y) else { return }
        let (width, height) = (Int64(second.x) - Int64(first.x), Int64(second.y) - Int64(first.y))
        // Both products have less than 62 bits.
        let (left, right) = ((x - Int64(first.x) << 3) * height, (y - firstY) * width)
        if height > 0 ? left < right : left > right { isInside.toggle() }
    }
}

/// Reads the numbers of an edge, which may be damaged.
private struct EdgeReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// A number of at most five bytes.
    private mutating func varint() throws(AreaCell.Damage) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while position < bytes.count, shift < 35 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw AreaCell.Damage()
    }

    mutating func number(below limit: Int) throws(AreaCell.Damage) -> Int {
        let value = try varint()
        guard value < UInt64(limit) else { throw AreaCell.Damage() }
        return Int(value)
    }

    /// A corner of a ring, which is in the square.
    mutating func corner(after last: GridPoint, in square: CellSquare) throws(AreaCell.Damage) -> GridPoint {
        let x = try value(after: last.x, from: square.x, to: square.maxX)
        let y = try value(after: last.y, from: square.y, to: square.maxY)
        return GridPoint(x: x, y: y)
    }

    private mutating func value(after last: Int32, from low: Int32, to high: Int32) throws(AreaCell.Damage) -> Int32 {
        let bits = try varint()
        let difference = Int64(bits >> 1) ^ (0 - Int64(bits & 1))
        let value = Int64(last) + difference
        guard Int64(low) <= value, value <= Int64(high) else { throw AreaCell.Damage() }
        return Int32(value)
    }
}
