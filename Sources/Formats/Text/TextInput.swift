/// The input of all readers of contacts: a text file, or bytes that are read like one.
struct TextInput {
    /// The path as it was given, or "standard input".
    let name: String
    /// Nil for a pipe.
    let totalSize: Int?
    let source: TextSource
    let chunkSize: Int

    /// Opens the file at `path`; `-` is standard input. With a nil `encoding` only a byte order mark is obeyed.
    init(path: String, encoding: TextEncoding?) throws {
        let file = try InputFile(path: path)
        (name, totalSize, chunkSize) = (file.name, file.size, 256 << 10)
        source = TextSource(encoding: encoding, read: file.read)
    }

    /// Reads bytes from `read`, as if they came from a file of this name.
    init(name: String, size: Int?, encoding: TextEncoding?, read: @escaping ByteWindow.Read) {
        (self.name, totalSize, chunkSize) = (name, size, 256 << 10)
        source = TextSource(encoding: encoding, read: read)
    }

    /// Reads `bytes`, `chunkSize` at a time.
    init(_ bytes: [UInt8], chunkSize: Int, encoding: TextEncoding?) {
        (name, totalSize, self.chunkSize) = ("bytes", bytes.count, chunkSize)
        source = TextSource(encoding: encoding, read: ByteWindow.reading(bytes, chunkSize: chunkSize))
    }

    /// A window at the start of the text. Use it only once for each input.
    var window: ByteWindow { ByteWindow(chunkSize: chunkSize, read: source.read) }

    /// How many bytes of the file were used, if `rest` bytes of text are still in the window.
    func bytesRead(before rest: Int) -> Int { max(0, source.bytesUsed - rest) }
}
