/// A place in a message of protocol buffers: https://protobuf.dev/programming-guides/encoding/
///
/// It reads the memory of a block, and must not be used after the block.
struct WireCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int
    private let end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        (self.bytes, position, end) = (bytes, 0, bytes.count)
    }

    private init(_ bytes: UnsafeRawBufferPointer, from position: Int, to end: Int) {
        (self.bytes, self.position, self.end) = (bytes, position, end)
    }

    /// How a value is written.
    enum Form: UInt64 {
        case varint, eightBytes, bytes
        case fourBytes = 5
    }

    var isAtEnd: Bool { position == end }
    var count: Int { end - position }
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position..<end]) }

    /// The number and the form of the next field; nil at the end.
    mutating func field() throws(MapDamage) -> (number: Int, form: Form)? {
        guard position < end else { return nil }
        let key = try varint()
        guard let form = Form(rawValue: key & 7), let number = Int(exactly: key >> 3), number > 0 else {
            throw MapDamage("a field has an unknown form")
        }
        return (number, form)
    }

    @inline(__always)
    mutating func varint() throws(MapDamage) -> UInt64 {
        guard position < end else { throw .cut }
        let first = bytes[position]
        guard first >= 0x80 else {
            position &+= 1
            return UInt64(first)
        }
        return try longVarint()
    }

    private mutating func longVarint() throws(MapDamage) -> UInt64 {
        var (value, shift) = (UInt64(0), UInt64(0))
        while position < end, shift < 64 {
            let byte = bytes[position]
            position &+= 1
            guard shift < 63 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
        throw position < end ? MapDamage("a number has more than 64 bits") : .cut
    }

    /// A number whose sign is its last bit.
    @inline(__always)
    mutating func signed() throws(MapDamage) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ (0 &- Int64(bitPattern: value & 1))
    }

    /// A number that is written as its difference to `last`.
    @inline(__always)
    mutating func add(to last: inout Int64) throws(MapDamage) {
        let (sum, isTooLarge) = last.addingReportingOverflow(try signed())
        guard !isTooLarge else { throw MapDamage("a difference is too large") }
        last = sum
    }

    /// The next value, which must be bytes or a message.
    mutating func message(_ form: Form) throws(MapDamage) -> WireCursor {
        guard form == .bytes else { throw MapDamage("a field has the wrong form") }
        let length = try varint()
        guard length <= UInt64(end - position) else { throw .cut }
        let start = position
        position += Int(length)
        return WireCursor(bytes, from: start, to: position)
    }

    mutating func number(_ form: Form) throws(MapDamage) -> UInt64 {
        guard form == .varint else { throw MapDamage("a field has the wrong form") }
        return try varint()
    }

    mutating func skip(_ form: Form) throws(MapDamage) {
        switch form {
        case .varint: _ = try varint()
        case .bytes: _ = try message(form)
        case .eightBytes, .fourBytes:
            let length = form == .eightBytes ? 8 : 4
            guard count >= length else { throw .cut }
            position += length
        }
    }
}

/// The way in which a block contradicts the format.
package struct MapDamage: Error, Equatable {
    let problem: String
    /// The way out, if it is not a second download.
    let advice: String?

    init(_ problem: String, advice: String? = nil) { (self.problem, self.advice) = (problem, advice) }

    static let cut = MapDamage("a value runs over the end of its message")
}
