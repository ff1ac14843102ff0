/// Cuts bytes that arrive in pieces into lines: https://github.com/ndjson/ndjson-spec
///
/// Blank lines are left out. What was fed is in memory until it is read, so read all lines after each piece.
package struct NDJSONLines {
    package enum Line: Hashable, Sendable {
        case whole(number: Int, [UInt8])
        /// Longer than ``NDJSONLines/longest``.
        case tooLong(number: Int)
    }

    /// The longest line, in bytes.
    package static let longest = 1 << 20

    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here no line ends.
    private var searched = 0
    private var number = 1
    private var isSkipping = false
    private var isEnded = false
    /// How much the lines so far took.
    package private(set) var bytesRead = 0

    package init() {}

    package mutating func feed(_ piece: [UInt8]) {
        bytes.removeFirst(start)
        (start, searched) = (0, searched - start)
        bytes += piece
    }

    /// No more pieces come: what is left is the last line.
    package mutating func end() {
        isEnded = true
    }

    /// The next line; nil where a piece is missing, and at the end.
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
            // Whoever reads the line leaves the mark out.
            let text = own == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
            if !text.allSatisfy(\.isBlank) { return .whole(number: own, Array(line)) }
        }
        return dropExcess() ? .tooLong(number: number) : nil
    }

    /// The bytes up to the next line end, and how many they are with it.
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

    /// Keeps no more of a line that is too long already. Returns true the first time.
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
