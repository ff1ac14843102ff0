/// File formats of tables and contacts that we can't read but that people try first.
enum Packing {
    /// The problem with a file that begins with these bytes, and advice; nil if it may be text.
    static func problem(beginning bytes: UnsafeRawBufferPointer) -> String? {
        signs.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.problem
    }

    /// https://en.wikipedia.org/wiki/List_of_file_signatures
    private static let signs: [(offset: Int, bytes: [UInt8], problem: String)] = [
        (0, [0x1F, 0x8B], "is compressed with gzip; unpack it first"),
        // The bytes before it, such as BZh9, may also be the first column of a table.
        (4, Array("1AY&SY".utf8), "is compressed with bzip2; unpack it first"),
        (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "is compressed with xz; unpack it first"),
        (0, [0x28, 0xB5, 0x2F, 0xFD], "is compressed with zstd; unpack it first"),
        // Present spreadsheets are zip archives.
        (0, [0x50, 0x4B, 0x03, 0x04], "is a zip archive or a spreadsheet; unpack the one, or save the other as CSV"),
        (0, Array("%PDF-".utf8), "is a PDF; save its addresses as a table, in CSV"),
        (0, Array("{\\rtf".utf8), "is a document in RTF; save its addresses as a table, in CSV"),
        (0, [0xD0, 0xCF, 0x11, 0xE0], "is a document of an old Excel or Word; save it as CSV"),
    ]
}
