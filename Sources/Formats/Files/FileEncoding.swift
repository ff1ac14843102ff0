/// The encoding of a file that we write.
package struct FileEncoding: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case utf8, windows1252
        case utf16(isBigEndian: Bool)
    }

    let form: Form
    /// True if the file begins with a byte order mark.
    let hasMark: Bool

    init(_ form: Form, hasMark: Bool = false) {
        self.form = form
        self.hasMark = hasMark
    }

    package static let utf8 = FileEncoding(.utf8)
    /// Excel recognizes UTF-8 by the mark.
    package static let utf8WithMark = FileEncoding(.utf8, hasMark: true)
    package static let windows1252 = FileEncoding(.windows1252)
    package static let utf16 = FileEncoding(.utf16(isBigEndian: false), hasMark: true)

    /// The encoding that a reader with the setting `encoding` finds in the file at `path`.
    static func ofFile(_ path: String, readAs encoding: TextEncoding = .automatic) throws -> FileEncoding {
        let source = TextSource(encoding: encoding, read: try InputFile(path: path).read)
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        // The encoding is unknown up to the first byte that is not ASCII, and there may be none.
        repeat {
            let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
            if count == 0 { break }
        } while source.found == nil
        return source.found ?? .utf8
    }

    /// The UTF-8 `text` in this encoding. Windows-1252 gets a question mark for each letter that it lacks.
    func bytes(of text: some Collection<UInt8>) -> [UInt8] {
        switch form {
        case .utf8: return Array(text)
        case .windows1252:
            if !text.contains(where: { $0 >= 0x80 }) { return Array(text) }
            return String(decoding: text, as: UTF8.self).unicodeScalars.map { Windows1252.byte(of: $0) ?? 0x3F }
        case .utf16(let isBigEndian):
            return String(decoding: text, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
                return isBigEndian ? [high, low] : [low, high]
            }
        }
    }
}

/// Writes pieces of UTF-8 text to a file, in the file's encoding.
struct EncodedOutput {
    let file: OutputFile
    let encoding: FileEncoding

    init(_ file: OutputFile, _ encoding: FileEncoding) throws {
        self.file = file
        self.encoding = encoding
        if encoding.hasMark { try write("\u{FEFF}".utf8) }
    }

    /// A piece must not end inside a letter.
    func write(_ text: some Collection<UInt8>) throws {
        if encoding.form == .utf8 { return try file.write(text) }
        try file.write(encoding.bytes(of: text))
    }
}
