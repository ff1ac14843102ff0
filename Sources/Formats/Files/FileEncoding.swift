/// How a file that we write turns its letters into bytes.
package struct FileEncoding: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case utf8, windows1252
        case utf16(isBigEndian: Bool)
    }

    let form: Form
    /// Whether it begins with a byte order mark.
    let hasMark: Bool

    init(_ form: Form, hasMark: Bool = false) {
        self.form = form
        self.hasMark = hasMark
    }

    package static let utf8 = FileEncoding(.utf8)
    /// As Excel likes it.
    package static let utf8WithMark = FileEncoding(.utf8, hasMark: true)
    package static let windows1252 = FileEncoding(.windows1252)
    package static let utf16 = FileEncoding(.utf16(isBigEndian: false), hasMark: true)

    /// That of the file at `path`, as a reader who is told `encoding` takes it.
    package static func ofFile(_ path: String, readAs encoding: TextEncoding = .automatic) throws -> FileEncoding {
        let source = TextSource(encoding: encoding, read: try InputFile(path: path).read)
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        // Up to the first byte that is not ASCII it is unknown, and a file may have none.
        repeat {
            let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
            if count == 0 { break }
        } while source.found == nil
        return source.found ?? .utf8
    }

    /// `text`, which is UTF-8, in this encoding. Windows-1252 has a question mark for each letter that it lacks.
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

/// Writes whole pieces of UTF-8 text to a file, in the file's encoding.
struct EncodedOutput {
    let file: OutputFile
    let encoding: FileEncoding

    init(_ file: OutputFile, _ encoding: FileEncoding) throws {
        self.file = file
        self.encoding = encoding
        if encoding.hasMark { try write("\u{FEFF}".utf8) }
    }

    /// A piece ends where a letter does.
    func write(_ text: some Collection<UInt8>) throws {
        if encoding.form == .utf8 { return try file.write(text) }
        try file.write(encoding.bytes(of: text))
    }
}
