/// The encoding of a file that we write.
package struct FileEncoding: CaseIterable, Hashable, Sendable {
    let encoding: TextEncoding
    /// True if the file begins with a byte order mark.
    let hasMark: Bool

    init(_ encoding: TextEncoding, hasMark: Bool = false) {
        self.encoding = encoding
        self.hasMark = hasMark
    }

    package static let utf8 = Self(.utf8)
    /// Excel recognizes UTF-8 by the mark.
    package static let utf8WithMark = Self(.utf8, hasMark: true)
    package static let windows1252 = Self(.windows1252)
    package static let utf16 = Self(.utf16, hasMark: true)

    package static let allCases =
        [utf8, utf8WithMark, utf16] + (TextEncoding.oneByte + TextEncoding.twoBytes).map { Self($0) }

    /// `utf-8-bom`, and else the name of the encoding.
    package var name: String { self == .utf8WithMark ? "utf-8-bom" : encoding.rawValue }

    /// Nil if no encoding has this name.
    package init?(name: String) {
        let name = name.lowercased()
        let known = Self.allCases.first { $0.name == name } ?? TextEncoding(rawValue: name).map { Self($0) }
        guard let known, known.encoding != .automatic else { return nil }
        self = known
    }

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

    /// The UTF-8 `text` in this encoding, with a question mark for each letter that it lacks.
    func bytes(of text: some Collection<UInt8>) -> [UInt8] {
        // ASCII is the same in all of them but UTF-16.
        if encoding == .utf8 || !text.contains(where: { $0 >= 0x80 }) && !encoding.converter.hasPrefix("UTF-16") {
            return Array(text)
        }
        var conversion = TextConversion(to: encoding)
        return conversion.convert(text, isLast: true)
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
        if encoding.encoding == .utf8 { return try file.write(text) }
        try file.write(encoding.bytes(of: text))
    }
}
