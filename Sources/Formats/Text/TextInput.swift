/// A file of text that is being read, or bytes as if they came from one: what all readers of contacts begin with.
struct TextInput {
    /// As the person wrote it, or "standard input".
    let name: String
    /// Nil for a pipe.
    let totalSize: Int?
    let source: TextSource
    let chunkSize: Int

    /// Opens the file at `path`; `-` is standard input. With `encoding` nil only a byte order mark changes anything.
    init(path: String, encoding: TextEncoding?) throws {
        let file = try InputFile(path: path)
        (name, totalSize, chunkSize) = (file.name, file.size, 256 << 10)
        source = TextSource(encoding: encoding, read: file.read)
    }

    /// Reads `bytes`, `chunkSize` at a time.
    init(_ bytes: [UInt8], chunkSize: Int, encoding: TextEncoding?) {
        (name, totalSize, self.chunkSize) = ("bytes", bytes.count, chunkSize)
        source = TextSource(encoding: encoding, read: ByteWindow.reading(bytes, chunkSize: chunkSize))
    }

    /// Its text, from the beginning. There is one for each input.
    var window: ByteWindow { ByteWindow(chunkSize: chunkSize, read: source.read) }

    /// How much of the file was used of which `rest` lies in the window still.
    func bytesRead(before rest: Int) -> Int { max(0, source.bytesUsed - rest) }
}
