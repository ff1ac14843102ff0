/// Converts a source to UTF-8 while it is read.
///
/// Up to the first byte that is not ASCII, most encodings are the same. From there it examines 64 KiB and decides for the
/// whole rest. One bad letter in a good file then doesn't change the result.
package final class TextSource {
    /// How many bytes of the source were converted, without the bytes that wait here.
    var bytesUsed: Int { bytesRead - held.count }

    /// True if the source begins with a byte order mark; known after the first read.
    private(set) var hasMark = false

    /// The encoding, once it is known.
    var found: FileEncoding? {
        switch state {
        case .opening, .undecided: nil
        case .plain: FileEncoding(.utf8, hasMark: hasMark)
        case .converting(let encoding, _): FileEncoding(encoding, hasMark: hasMark)
        }
    }

    private let source: ByteWindow.Read
    private var state = State.opening
    private let encoding: TextEncoding
    private var bytesRead = 0
    /// Bytes that were read but not examined yet.
    private var held: [UInt8] = []
    private var decoded: ArraySlice<UInt8> = []
    private var isAtEnd = false

    private enum State {
        case opening, undecided, plain
        case converting(TextEncoding, TextConversion)

        init(_ encoding: TextEncoding) {
            self = encoding == .utf8 ? .plain : .converting(encoding, TextConversion(from: encoding))
        }
    }

    private static let evidence = 64 << 10

    /// With a nil `encoding` only a byte order mark is obeyed.
    package init(encoding: TextEncoding?, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.encoding = encoding ?? .utf8
        source = read
    }

    /// Fills `buffer` from its start and returns the number of bytes, 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while decoded.isEmpty {
            switch state {
            case .opening: try open()
            case .plain: return try pull(buffer)
            case .undecided:
                let count = try pull(buffer)
                guard let odd = buffer[..<count].firstIndex(where: { $0 >= 0x80 }) else { return count }
                held.insert(contentsOf: buffer[odd..<count], at: 0)
                try decide()
                if odd > 0 { return odd }
            case .converting(let encoding, var conversion):
                let chunk = try [UInt8](atMost: 64 << 10, from: pull)
                decoded = conversion.convert(chunk, isLast: chunk.isEmpty)[...]
                state = .converting(encoding, conversion)
                if chunk.isEmpty, decoded.isEmpty { return 0 }
            }
        }
        let part = decoded.prefix(buffer.count)
        buffer.copyBytes(from: part)
        decoded.removeFirst(part.count)
        return part.count
    }

    private func open() throws {
        try hold(16)
        if held.starts(with: [0xEF, 0xBB, 0xBF]) {
            held.removeFirst(3)
            hasMark = true
            state = .plain
        } else if held.starts(with: [0xFF, 0xFE]) || held.starts(with: [0xFE, 0xFF]) {
            state = State(held[0] == 0xFE ? .utf16BigEndian : .utf16)
            held.removeFirst(2)
            hasMark = true
        } else if encoding == .utf16 || encoding == .automatic && Self.beginsAsUTF16(held) {
            // Nearly every file begins with an ASCII letter, so a zero byte at the start means big endian.
            state = State(held.first == 0 ? .utf16BigEndian : .utf16)
        } else {
            state = encoding == .automatic ? .undecided : State(encoding)
        }
    }

    /// True if the first eight letters are ASCII in UTF-16: every other byte is zero.
    private static func beginsAsUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 16 else { return false }
        let zeros = (0..<16).filter { bytes[$0] == 0 }
        return zeros.count == 8 && Set(zeros.map { $0 % 2 }).count == 1
    }

    private func decide() throws {
        try hold(Self.evidence)
        let sample = held.prefix(Self.evidence)
        let isUTF8 = UTF8Evidence(sample, isWhole: held.count <= Self.evidence && isAtEnd).isUTF8
        state = State(isUTF8 ? .utf8 : EncodingGuess.encoding(of: sample))
    }

    /// Reads until at least `count` bytes are held, or the source ends.
    private func hold(_ count: Int) throws {
        while held.count < count, !isAtEnd {
            let piece = try [UInt8](atMost: 16 << 10, from: source)
            held += piece
            bytesRead += piece.count
            isAtEnd = piece.isEmpty
        }
    }

    private func pull(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if !held.isEmpty {
            let part = held.prefix(buffer.count)
            buffer.copyBytes(from: part)
            held.removeFirst(part.count)
            return part.count
        }
        guard !isAtEnd else { return 0 }
        let count = try source(buffer)
        bytesRead += count
        isAtEnd = count == 0
        return count
    }
}
