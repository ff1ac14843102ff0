import HTTP

/// A tar archive in memory, packed by gzip: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html, ustar.
struct TarArchive {
    private var bytes: [UInt8] = []
    /// In seconds since 1970.
    let time: Int

    init(time: Int) {
        self.time = time
    }

    /// Adds a file that only its owner may read. The name has at most 100 bytes.
    mutating func add(_ name: String, _ content: [UInt8]) {
        precondition(name.utf8.count <= 100, "a longer name needs another header")
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0)
        put(octal(0o600, 7), at: 100)
        put(octal(0, 7), at: 108)
        put(octal(0, 7), at: 116)
        put(octal(content.count, 11), at: 124)
        put(octal(time, 11), at: 136)
        put("        0", at: 148)
        put("ustar\u{0}00", at: 257)
        // The checksum counts its own place as spaces.
        put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ", at: 148)
        bytes += header + content + [UInt8](repeating: 0, count: -content.count & 511)
    }

    /// The end of an archive is two empty blocks.
    var packed: [UInt8] {
        var deflater = Deflater()
        return deflater.deflate(bytes + [UInt8](repeating: 0, count: 1_024), isLast: true)
    }
}
