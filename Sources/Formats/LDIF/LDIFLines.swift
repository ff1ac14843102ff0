/// Reads the entries of LDIF one by one: https://www.rfc-editor.org/rfc/rfc2849
struct LDIFLines {
    private(set) var window: ByteWindow
    /// The number of the next physical line.
    private(set) var number = 1

    /// How many bytes of a line are kept: a photo takes megabytes, and a longer address is refused anyway.
    private static let longestLine = 64 << 10

    init(_ window: ByteWindow) {
        self.window = window
    }

    /// Returns whether a file is LDIF that begins with `text`, given in capitals.
    static func isLikely(_ text: String) -> Bool { text.hasPrefix("DN: ") || text.hasPrefix("VERSION: 1") }

    /// The next entry; nil at the end.
    mutating func next() throws -> LDIFEntry? {
        var entry: LDIFEntry?
        while try !window.isEmpty {
            let start = number
            guard let line = try readLine() else {
                // A blank line ends an entry.
                if let entry { return entry }
                continue
            }
            if line.first == UInt8(ascii: "#") { continue }
            if entry == nil { entry = LDIFEntry(line: start) }
            entry?.add(line)
        }
        return entry
    }

    /// A line with its continuation lines, each of which begins with a space. Nil for a blank line.
    private mutating func readLine() throws -> [UInt8]? {
        var line: [UInt8] = []
        try readPart(into: &line)
        if line.isEmpty { return nil }
        while try !window.isEmpty, window.withBytes({ $0[0] }) == UInt8(ascii: " ") {
            window.drop(1)
            try readPart(into: &line)
        }
        return line
    }

    /// The rest of a physical line.
    private mutating func readPart(into line: inout [UInt8]) throws {
        while try !window.isEmpty {
            let room = max(0, Self.longestLine - line.count)
            let length = window.withBytes { bytes in
                let length = bytes.firstIndex(where: \.isLineEnd) ?? bytes.count
                line.append(contentsOf: bytes[..<min(length, room)])
                return length
            }
            window.drop(length)
            if try window.dropLineEnd() {
                number += 1
                return
            }
        }
    }
}
