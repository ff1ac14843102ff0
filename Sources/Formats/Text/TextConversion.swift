import Glibc

/// Converts text that arrives in pieces from one encoding to another. A piece may end inside a character.
struct TextConversion {
    private let converter: Converter
    /// The width of a code unit of the source.
    private let unit: Int
    private let isToUTF8: Bool
    /// True if the bytes 80 to 9F without a letter are control characters, as in browsers. So a copy keeps them.
    private let keepsControls: Bool
    /// The beginning of a character whose end has not come yet.
    private var rest: [UInt8] = []

    /// Converts to UTF-8. Bad bytes become U+FFFD.
    init(from encoding: TextEncoding) {
        converter = Converter(from: encoding.converter, to: "UTF-8")
        unit = encoding.converter.hasPrefix("UTF-16") ? 2 : 1
        isToUTF8 = true
        keepsControls = TextEncoding.oneByte.contains(encoding)
    }

    /// Converts UTF-8. Letters that the encoding lacks become question marks.
    init(to encoding: TextEncoding) {
        converter = Converter(from: "UTF-8", to: encoding.converter)
        unit = 1
        isToUTF8 = false
        keepsControls = TextEncoding.oneByte.contains(encoding)
    }

    mutating func convert(_ bytes: some Collection<UInt8>, isLast: Bool = false) -> [UInt8] {
        var source = rest + bytes
        var (text, start) = ([UInt8](), 0)
        while start < source.count {
            let end = converter.convert(&source, from: &start, into: &text)
            if end == .unfinished, !isLast { break }
            guard end != .complete else { break }
            let length = isToUTF8 ? unit : 1 + source[start...].dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
            text += replacement(for: source[start...].prefix(length))
            start += min(length, source.count - start)
        }
        rest = Array(source[start...])
        if isLast { text += converter.end() }
        return text
    }

    private func replacement(for character: ArraySlice<UInt8>) -> [UInt8] {
        if isToUTF8 {
            guard keepsControls, let byte = character.first, 0x80..<0xA0 ~= byte else { return Array("\u{FFFD}".utf8) }
            return [0xC2, byte]
        }
        // U+0080 to U+009F.
        if keepsControls, character.first == 0xC2, let byte = character.last, 0x80..<0xA0 ~= byte { return [byte] }
        return [UInt8(ascii: "?")]
    }

    private final class Converter {
        enum End { case complete, unfinished, bad }

        private let descriptor: iconv_t?

        init(from source: String, to target: String) {
            descriptor = iconv_open(target, source)
            // All encodings that are named in this room belong to the C library.
            precondition(descriptor != iconv_t(bitPattern: -1), "iconv lacks \(source)")
        }

        deinit {
            iconv_close(descriptor)
        }

        /// The last character of an encoding whose letters may be followed by accents.
        func end() -> [UInt8] {
            var room = [UInt8](repeating: 0, count: 64)
            var left = room.count
            room.withUnsafeMutableBytes { room in
                var to = room.baseAddress?.assumingMemoryBound(to: CChar.self)
                _ = iconv(descriptor, nil, nil, &to, &left)
            }
            return Array(room[..<(room.count - left)])
        }

        /// Appends what can be converted from `start` on to `text`, and moves `start` behind it.
        func convert(_ source: inout [UInt8], from start: inout Int, into text: inout [UInt8]) -> End {
            var room = [UInt8](repeating: 0, count: max(64, (source.count - start) * 4))
            var (before, left) = (source.count - start, room.count)
            let result = source.withUnsafeMutableBytes { bytes in
                room.withUnsafeMutableBytes { room in
                    var from = bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
                    var to = room.baseAddress?.assumingMemoryBound(to: CChar.self)
                    return iconv(descriptor, &from, &before, &to, &left)
                }
            }
            let reason = errno
            start = source.count - before
            text += room[..<(room.count - left)]
            guard result == -1 else { return .complete }
            return reason == EINVAL ? .unfinished : .bad
        }
    }
}
