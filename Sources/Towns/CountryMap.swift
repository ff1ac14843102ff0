import CEmbedded
package import Geocoding

/// The borders of all countries, to about 20 metres, made from OpenStreetMap.
///
/// The program contains the bytes that `sql/seed/make-countries.py` writes. Nothing is unpacked: a look-up reads about a
/// hundred corners. All fixed numbers are little-endian and have four bytes:
///
/// | part | content |
/// | --- | --- |
/// | head | magic, number of squares, bytes of names, bytes of lines |
/// | squares | their numbers along a Z-curve, ascending; a square reaches to the next one |
/// | | for each the offset of its lines; without lines, the highest bit and the number of a name |
/// | names | `LI`, or `IL PS` where several countries are right, after a line feed each; the first is empty |
/// | lines | of a square: the name in its corner, the number of lines; of a line: names to its left and right, corners |
///
/// Corners are differences. They and all numbers of lines are zigzag varints. Damaged bytes are a map without countries.
///
/// Unchecked: the bytes never change, and are never freed.
package struct CountryMap: @unchecked Sendable {
    package static let shared: CountryMap = {
        guard let start = seed_countries(), let end = seed_countries_end() else {
            preconditionFailure("the borders are not in the binary")
        }
        return CountryMap(UnsafeRawBufferPointer(start: start, count: end - start))
    }()

    private static let magic: UInt32 = 0x3143_5057
    private static let bits = 22
    /// The finest squares have this many bits for each axis.
    private static let squareBits = 16

    private let bytes: UnsafeRawBufferPointer
    private let squareCount: Int
    private let linesStart: Int
    /// For each name the keys of its countries.
    private let names: [[UInt16]]

    package init(_ bytes: UnsafeRawBufferPointer) {
        let head = bytes.count < 16 ? [] : (0..<4).map { Self.word(at: $0 * 4, of: bytes) }
        guard head.first == Self.magic, 16 + 8 * Int(head[1]) + Int(head[2]) + Int(head[3]) == bytes.count else {
            (self.bytes, squareCount, linesStart, names) = (bytes, 0, bytes.count, [])
            return
        }
        let (textStart, textEnd) = (16 + 8 * Int(head[1]), bytes.count - Int(head[3]))
        (self.bytes, squareCount, linesStart) = (bytes, Int(head[1]), textEnd)
        names = String(decoding: bytes[textStart..<textEnd], as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").map { CountryKey($0).value } }
    }

    /// Returns the codes of the countries to which a coordinate belongs: one, or each that may be right where zones
    /// overlap or a territory is disputed. Empty at sea, and where the map has a gap.
    package func countries(at coordinate: Coordinate) -> [String] {
        keys(at: coordinate).map { CountryKey($0).code }
    }

    /// Returns whether a coordinate surely lies in another country than this one and its territories, and so do those
    /// that many metres away.
    package func isAbroad(_ coordinate: Coordinate, from country: String, by metres: Double = 0) -> Bool {
        let own = CountryKey(country)
        func isOutside(_ place: Coordinate) -> Bool {
            let keys = keys(at: place)
            return !keys.isEmpty && !keys.contains { own.covers($0) || CountryKey($0).covers(own.value) }
        }
        guard !country.isEmpty, isOutside(coordinate) else { return false }
        guard metres > 0 else { return true }
        let here = Position(latitude: coordinate.latitude, longitude: 0)
        let degree = max(here.distance(to: Position(latitude: coordinate.latitude, longitude: 1)), 1_000)
        let (height, width) = (metres / 111_195, metres / degree)
        return [(height, 0), (-height, 0), (0, width), (0, -width)].allSatisfy { north, east in
            let place = Coordinate(latitude: coordinate.latitude + north, longitude: coordinate.longitude + east)
            return place.map(isOutside) ?? true
        }
    }

    /// The same as ``countries(at:)``, as keys.
    func keys(at coordinate: Coordinate) -> [UInt16] {
        let (x, y) = (Self.units(coordinate.longitude + 180), Self.units(coordinate.latitude + 90))
        guard let square = square(of: Self.curve(x, y)) else { return [] }
        let value = Self.word(at: 16 + 4 * (squareCount + square), of: bytes)
        let name = value >> 31 == 1 ? Int(value & 0x7FFF_FFFF) : self.name(x, y, in: square, Int(value))
        return names.indices.contains(name) ? names[name] : []
    }

    private static func units(_ degrees: Double) -> Int32 {
        Int32(min(max(degrees / 360 * Double(1 << bits), 0), Double(1 << bits - 1)))
    }

    /// The number of the finest square around a position, along a Z-curve.
    private static func curve(_ x: Int32, _ y: Int32) -> UInt32 {
        (0..<squareBits).reduce(0) { curve, bit in
            let (east, north) = (x >> (bits - squareBits + bit) & 1, y >> (bits - squareBits + bit) & 1)
            return curve | UInt32(east | north << 1) << (2 * bit)
        }
    }

    /// The last square whose number is not above `curve`.
    private func square(of curve: UInt32) -> Int? {
        var (low, high) = (0, squareCount)
        while low < high {
            let middle = (low + high) / 2
            if Self.word(at: 16 + 4 * middle, of: bytes) <= curve { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// The name at a position: the one behind the last line on the way from the square's corner north, and then east.
    ///
    /// Corners of lines are whole numbers, and ways run between these: no way meets a corner.
    private func name(_ x: Int32, _ y: Int32, in square: Int, _ offset: Int) -> Int {
        let start = Self.word(at: 16 + 4 * square, of: bytes)
        func origin(_ shift: Int) -> Int {
            (0..<Self.squareBits).reduce(0) { $0 | Int(start >> (2 * $1 + shift) & 1) << $1 }
                << (Self.bits - Self.squareBits)
        }
        let (west, south) = (origin(0), origin(1))
        let (column, row) = (Double(west) + 0.5, Double(y) + 0.5)
        var north = (name: 0, end: Double(south) + 0.5)
        var east = (name: -1, end: column)
        let here = (x: Double(x) + 0.5, y: row)
        var reader = BorderReader(bytes: bytes, position: linesStart + offset)
        north.name = reader.number()
        for _ in 0..<reader.count() {
            let (left, right, count) = (reader.number(), reader.number(), reader.count())
            var (lastX, lastY) = (0.0, 0.0)
            var (sumX, sumY) = (west, south)
            for corner in 0..<count {
                sumX += reader.number()
                sumY += reader.number()
                let (nextX, nextY) = (Double(sumX), Double(sumY))
                if corner > 0, (lastY > here.y) != (nextY > here.y) {
                    let crossing = lastX + (here.y - lastY) * (nextX - lastX) / (nextY - lastY)
                    if crossing > east.end, crossing <= here.x { east = (nextY > lastY ? right : left, crossing) }
                }
                if corner > 0, (lastX > column) != (nextX > column) {
                    let crossing = lastY + (column - lastX) * (nextY - lastY) / (nextX - lastX)
                    if crossing > north.end, crossing <= here.y { north = (nextX > lastX ? left : right, crossing) }
                }
                (lastX, lastY) = (nextX, nextY)
            }
        }
        if reader.isDamaged { return 0 }
        return east.name >= 0 ? east.name : north.name
    }

    private static func word(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}

/// Reads the numbers of lines, which may be damaged.
private struct BorderReader {
    let bytes: UnsafeRawBufferPointer
    var position: Int
    private(set) var isDamaged = false

    init(bytes: UnsafeRawBufferPointer, position: Int) { (self.bytes, self.position) = (bytes, position) }

    /// A number of at most 35 bits; 0 after the end of the bytes.
    mutating func number() -> Int {
        var (value, shift) = (0, 0)
        while position < bytes.count, shift < 35 {
            let byte = Int(bytes[position])
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80 { return value >> 1 ^ -(value & 1) }
            shift += 7
        }
        (isDamaged, position) = (true, bytes.count)
        return 0
    }

    /// A number of things of at least a byte each.
    mutating func count() -> Int {
        let count = number()
        guard (0...(bytes.count - position)).contains(count) else {
            isDamaged = true
            return 0
        }
        return count
    }
}
