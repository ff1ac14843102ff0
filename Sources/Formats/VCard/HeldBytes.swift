/// Bytes of a source that were read but not written yet.
final class HeldBytes {
    private let name: String
    private let source: ByteWindow.Read
    private var bytes: [UInt8] = []
    /// How many of `bytes` were written.
    private var taken = 0
    /// The offset of `bytes` in the source.
    private var start = 0

    /// The most bytes that are held. A larger card can't be copied.
    private static let most = 64 << 20

    init(name: String, read: @escaping ByteWindow.Read) {
        self.name = name
        source = read
    }

    var count: Int { bytes.count - taken }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source(buffer)
        bytes.removeFirst(taken)
        start += taken
        taken = 0
        bytes += buffer[..<count]
        guard bytes.count <= Self.most else {
            throw FileError(file: name, problem: "has a card of more than 64 MiB, which can't be copied")
        }
        guard start > 0 || !bytes.starts(with: [0xFF, 0xFE]) && !bytes.starts(with: [0xFE, 0xFF]) else {
            throw FileError(file: name, problem: "is UTF-16, which can't be copied; save it as UTF-8 first")
        }
        return count
    }

    /// The bytes up to `offset` that were not taken yet.
    func take(upTo offset: Int) -> ArraySlice<UInt8> {
        let end = min(bytes.count, max(taken, offset - start))
        defer { taken = end }
        return bytes[taken..<end]
    }

    /// The line end of the line that contains the byte at `offset`.
    func lineEnd(after offset: Int) -> String {
        let rest = bytes[min(bytes.count, max(0, offset - start))...]
        guard let end = rest.firstIndex(where: \.isLineEnd) else { return "\r\n" }
        guard rest[end] == .carriageReturn else { return "\n" }
        return end + 1 < rest.endIndex && rest[end + 1] == .lineFeed ? "\r\n" : "\r"
    }
}
