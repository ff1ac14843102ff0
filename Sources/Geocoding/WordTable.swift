import CWords

/// The tables of words and countries, compiled into the program from the files in `Sources/CWords/tables`. The comments
/// at the beginning of each file describe its format and its sources.
extension words {
    /// The lines of the table without its comments.
    var lines: [Slice<UnsafeBufferPointer<UInt8>>] {
        UnsafeBufferPointer(start: bytes, count: size).split(separator: UInt8(ascii: "\n"))
            .filter { $0.first != UInt8(ascii: "#") }
    }

    /// The fields of each line.
    var rows: [[Substring]] {
        lines.map { String(decoding: $0, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false) }
    }
}
