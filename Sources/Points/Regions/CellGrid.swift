import Formats

/// A corner of a ring, in units of 8 ten-millionths of a degree (9 cm at most), from 180° west and 90° south.
///
/// A coordinate has 29 bits, so a product of two differences fits into 64 bits.
struct GridPoint: Hashable, Sendable {
    var x, y: Int32

    init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }

    /// Rounds to the nearest point of the grid.
    init(_ position: MapPosition) {
        x = Int32((Int64(position.longitude) + 1_800_000_004) >> 3)
        y = Int32((Int64(position.latitude) + 900_000_004) >> 3)
    }
}

/// A square of an adaptive quadtree over the world. At depth 0 it is the world, at depth 22 it has sides of 11 m.
struct CellSquare: Hashable, Sendable {
    /// The corner in the south-west.
    let x, y: Int32
    let depth: Int

    static let bits = 29
    static let world = CellSquare(x: 0, y: 0, depth: 0)

    var side: Int32 { 1 << Int32(Self.bits - depth) }
    var maxX: Int32 { x + side }
    var maxY: Int32 { y + side }

    /// The number of the cell: the bits of its corner in turn, north first.
    var cell: Int64 { Self.interleaved(x: UInt32(x) << 3, y: UInt32(y) << 3) }

    /// South-west, south-east, north-west, north-east: the order of their numbers.
    var quarters: [CellSquare] {
        let half = side / 2
        return [(0, 0), (1, 0), (0, 1), (1, 1)].map { east, north in
            CellSquare(x: x + east * half, y: y + north * half, depth: depth + 1)
        }
    }

    func isTouched(by box: GridBox) -> Bool {
        box.west <= maxX && x <= box.east && box.south <= maxY && y <= box.north
    }

    /// The number of the smallest cell at a position: the cell that contains it has the largest number not above this
    /// one.
    static func number(at position: MapPosition) -> Int64 {
        interleaved(
            x: UInt32(clamping: Int64(position.longitude) + 1_800_000_000),
            y: UInt32(clamping: Int64(position.latitude) + 900_000_000))
    }

    /// The bits of x and y in turn. The first bit, that of y, is 0 for each latitude.
    private static func interleaved(x: UInt32, y: UInt32) -> Int64 { Int64(bitPattern: spread(y) << 1 | spread(x)) }

    /// https://graphics.stanford.edu/~seander/bithacks.html#InterleaveBMN
    private static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    private static func gathered(_ value: UInt64) -> UInt32 {
        var bits = value & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }

    init(x: Int32, y: Int32, depth: Int) { (self.x, self.y, self.depth) = (x, y, depth) }

    /// Nil if no square has this number and depth.
    init?(cell: Int64, depth: Int) {
        guard cell >= 0, (0...AreaCell.mostDepth).contains(depth) else { return nil }
        let bits = UInt64(bitPattern: cell)
        self.init(
            x: Int32(Self.gathered(bits) >> 3), y: Int32(Self.gathered(bits >> 1) >> 3), depth: depth)
        guard self.cell == cell, x % side == 0, y % side == 0 else { return nil }
    }
}

struct GridBox: Hashable, Sendable {
    var west = Int32.max
    var south = Int32.max
    var east = Int32.min
    var north = Int32.min

    /// 0 for an empty box.
    var size: Int64 { west > east ? 0 : Int64(east - west) * Int64(north - south) }

    mutating func add(_ point: GridPoint) {
        (west, east) = (min(west, point.x), max(east, point.x))
        (south, north) = (min(south, point.y), max(north, point.y))
    }
}

extension [GridPoint] {
    /// The part of a ring on one side of a line, as a ring: https://en.wikipedia.org/wiki/Sutherland–Hodgman_algorithm
    ///
    /// A closed ring does not repeat its first point. Two areas with a common border are cut at the same points, because
    /// ``cut(_:_:)`` does not depend on the direction.
    func clipped(to side: GridLine) -> [GridPoint] {
        // Most rings lie on one side, because the squares around were cut before.
        guard contains(where: { !side.contains($0) }) else { return self }
        guard var before = last, contains(where: side.contains) else { return [] }
        var result: [GridPoint] = []
        result.reserveCapacity(count)
        var wasInside = side.contains(before)
        for point in self {
            let isInside = side.contains(point)
            if isInside != wasInside { result.append(side.cut(before, point)) }
            if isInside { result.append(point) }
            (before, wasInside) = (point, isInside)
        }
        return result
    }

    /// The ring without points that do not matter inside the square: repeated ones, and those between two others on the
    /// same side of the square.
    func cleaned(in square: CellSquare) -> [GridPoint] {
        var result: [GridPoint] = []
        for point in self { result.append(point, in: square) }
        // The ends of the list meet.
        var isChanged = true
        while isChanged, result.count > 1 {
            isChanged = false
            let (last, first) = (result[result.count - 1], result[0])
            if last == first || square.isOnOneSide(result[result.count - 2], last, first) {
                result.removeLast()
                isChanged = true
            } else if square.isOnOneSide(last, first, result[1]) {
                result.removeFirst()
                isChanged = true
            }
        }
        return result.count < 3 ? [] : result
    }

    private mutating func append(_ point: GridPoint, in square: CellSquare) {
        while let last {
            if last == point { return }
            guard count > 1, square.isOnOneSide(self[count - 2], last, point) else { break }
            removeLast()
        }
        append(point)
    }
}

extension CellSquare {
    fileprivate func isOnOneSide(_ first: GridPoint, _ second: GridPoint, _ third: GridPoint) -> Bool {
        first.x == second.x && second.x == third.x && (first.x == x || first.x == maxX)
            || first.y == second.y && second.y == third.y && (first.y == y || first.y == maxY)
    }

    var corners: [GridPoint] {
        [GridPoint(x: x, y: y), GridPoint(x: maxX, y: y), GridPoint(x: maxX, y: maxY), GridPoint(x: x, y: maxY)]
    }

    /// True for a cleaned ring that goes once around the square.
    func isFilled(by ring: [GridPoint]) -> Bool {
        ring.count == 4 && ring.allSatisfy(corners.contains) && Set(ring).count == 4
    }
}

/// A side of a square, with the half of the world that contains the square.
enum GridLine {
    case east(of: Int32), west(of: Int32), north(of: Int32), south(of: Int32)

    @inline(__always)
    func contains(_ point: GridPoint) -> Bool {
        switch self {
        case .east(let line): point.x >= line
        case .west(let line): point.x <= line
        case .north(let line): point.y >= line
        case .south(let line): point.y <= line
        }
    }

    /// The point of the line between two points on different sides of it.
    func cut(_ first: GridPoint, _ second: GridPoint) -> GridPoint {
        switch self {
        case .east(let line), .west(let line):
            GridPoint(x: line, y: Self.value(at: line, (first.x, first.y), (second.x, second.y)))
        case .north(let line), .south(let line):
            GridPoint(x: Self.value(at: line, (first.y, first.x), (second.y, second.x)), y: line)
        }
    }

    private static func value(at place: Int32, _ first: (Int32, Int32), _ second: (Int32, Int32)) -> Int32 {
        let (low, high) = first.0 < second.0 ? (first, second) : (second, first)
        let width = Int64(high.0) - Int64(low.0)
        guard width > 0 else { return low.1 }
        let product = (Int64(place) - Int64(low.0)) * (Int64(high.1) - Int64(low.1))
        // Rounded down, for either sign.
        let doubled = 2 * product + width
        return low.1 + Int32(doubled >= 0 ? doubled / (2 * width) : -((-doubled + 2 * width - 1) / (2 * width)))
    }
}
