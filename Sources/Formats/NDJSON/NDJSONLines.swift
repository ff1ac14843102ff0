/// Splits bytes that arrive in pieces into lines: https://github.com/ndjson/ndjson-spec
///
/// Blank lines are skipped. Bytes stay in memory until they are read, so read all lines after each piece.
package struct NDJSONLines {
    package enum Line: Hashable, Sendable {
        case whole(number: Int, [UInt8])
        /// The line is longer than ``NDJSONLines/longest``.
        case tooLong(number: Int)
    }

    /// The longest line, in bytes.
    package static let longest = 1 << 20

    private var bytes: [UInt8] = []
    private var start = 0
    /// The bytes before this index contain no line end.
    private var searched = 0
    private var number = 1
    private var isSkipping = false
    private var isEnded = false
    /// How many bytes the lines so far used.
    package private(set) var bytesRead = 0

    package init() {}

    package mutating func feed(_ piece: [UInt8]) {
        bytes.removeFirst(start)
        (start, searched) = (0, searched - start)
        bytes += piece
    }

    /// Called after the last piece: the remaining bytes are the last line.
    package mutating func end() {
        isEnded = true
    }

    /// The next line; nil if more bytes are needed, and at the end.
    package mutating func next() -> Line? {
        while let (line, length) = cut() {
            defer { bytesRead += length }
            let own = number
            number += 1
            if isSkipping {
                isSkipping = false
                continue
            }
            if line.count > Self.longest { return .tooLong(number: own) }
            // The byte order mark stays in the line, because the JSON parser skips it.
            let text = own == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
            if !text.allSatisfy(\.isBlank) { return .whole(number: own, Array(line)) }
        }
        return dropExcess() ? .tooLong(number: number) : nil
    }

    /// The bytes up to the next line end, and their number including the line end.
    private mutating func cut() -> (ArraySlice<UInt8>, Int)? {
        if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            defer { (start, searched) = (end + 1, end + 1) }
            return (bytes[start..<end], end + 1 - start)
        }
        searched = bytes.count
        guard isEnded, start < bytes.count else { return nil }
        defer { start = bytes.count }
        return (bytes[start...], bytes.count - start)
    }

    /// Drops bytes of a line that is already too long. Returns true the first time.
    private mutating func dropExcess() -> Bool {
        guard isSkipping || bytes.count - start > Self.longest else { return false }
        bytesRead += bytes.count - start
        bytes = []
        (start, searched) = (0, 0)
        defer { isSkipping = true }
        return !isSkipping
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
