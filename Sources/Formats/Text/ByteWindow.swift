/// The part of a source that is in memory, starting at the next unused byte.
struct ByteWindow {
    /// Fills a buffer from its start and returns the number of bytes, 0 at the end.
    typealias Read = (UnsafeMutableRawBufferPointer) throws -> Int

    /// How many bytes were consumed and dropped.
    private(set) var consumed = 0

    private let chunkSize: Int
    private let read: Read
    private var bytes: [UInt8] = []
    private var start = 0
    private var end = 0
    private var isAtEnd = false

    init(chunkSize: Int, read: @escaping Read) {
        self.chunkSize = max(1, chunkSize)
        self.read = read
    }

    /// Reads `bytes` as if they came from a file, at most `chunkSize` at a time.
    static func reading(_ bytes: [UInt8], chunkSize: Int) -> Read {
        var rest = bytes[...]
        return { buffer in
            let chunk = rest.prefix(min(buffer.count, max(1, chunkSize)))
            buffer.copyBytes(from: chunk)
            rest.removeFirst(chunk.count)
            return chunk.count
        }
    }

    /// How many bytes are in memory.
    var count: Int { end - start }

    /// True if nothing is left, in memory or in the source.
    var isEmpty: Bool {
        mutating get throws {
            if count == 0 { try fill() }
            return count == 0
        }
    }

    /// Returns whether the source ends within the first `limit` bytes.
    func isFinal(upTo limit: Int) -> Bool {
        isAtEnd && count <= limit
    }

    func withBytes<Value, Failure: Error>(
        upTo limit: Int = .max, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try bytes.withUnsafeBufferPointer { all throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: all[start..<(start + min(limit, count))]))
        }
    }

    /// Reads more bytes after those in memory. The caller then scans everything again, so the step grows with the size:
    /// a long record is scanned only a few times even with small chunks. Returns false at the end of the source.
    @discardableResult
    mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        let step = max(chunkSize, count / 4)
        let kept = count
        bytes.withUnsafeMutableBytes { all in
            UnsafeMutableRawBufferPointer(rebasing: all[..<kept]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: all[start..<end]))
        }
        (start, end) = (0, kept)
        if bytes.count < end + step { bytes += [UInt8](repeating: 0, count: end + step - bytes.count) }
        let got = try bytes.withUnsafeMutableBytes { all in
            try read(UnsafeMutableRawBufferPointer(rebasing: all[end..<(end + step)]))
        }
        end += got
        isAtEnd = got == 0
        return !isAtEnd
    }

    /// Drops the first `count` bytes.
    mutating func drop(_ count: Int) {
        start += count
        consumed += count
    }

    /// Drops LF, CR LF or CR. Returns false if none is next.
    mutating func dropLineEnd() throws -> Bool {
        while true {
            if let length = withBytes({ $0.lineEnd(at: 0, isFinal: isFinal(upTo: .max)) }) {
                drop(length)
                return length > 0
            }
            try fill()
        }
    }
}
