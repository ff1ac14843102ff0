import HTTP

/// Writes a zip archive from start to end, also to a pipe.
package struct ZipWriter {
    let file: OutputFile
    private var position = 0
    private var list: [UInt8] = []
    private var count = 0
    /// The entry that is being compressed.
    private var entry: ZipFile.Entry?
    private var deflater: Deflating?

    /// Has the state of zlib, which can't be in a copyable struct itself.
    private final class Deflating {
        var deflater = Deflater(isRaw: true)
    }

    package init(to file: OutputFile) {
        self.file = file
    }

    /// Copies an entry of another archive, as it is packed there.
    mutating func copy(_ entry: ZipFile.Entry, of zip: ZipFile) throws {
        var start = try zip.start(of: entry)
        let end = start + entry.packedSize
        var entry = entry
        entry.flags &= ~Self.sizesFollow
        try begin(&entry)
        while start < end {
            let piece = try zip.file.bytes(at: start, count: min(256 << 10, end - start))
            try put(piece)
            start += piece.count
        }
        try enlist(entry)
    }

    /// Adds an entry that is not compressed.
    package mutating func add(_ name: String, _ text: String) throws {
        let bytes = Array(text.utf8)
        var entry = ZipFile.Entry(nameBytes: Array(name.utf8), method: 0, checksum: ZipFile.checksum(of: bytes))
        (entry.packedSize, entry.size) = (bytes.count, bytes.count)
        try begin(&entry)
        try put(bytes)
        try enlist(entry)
    }

    /// Begins a compressed entry with the name and the time of `entry`; its bytes follow with ``write(_:)``.
    mutating func begin(compressing entry: ZipFile.Entry) throws {
        var entry = ZipFile.Entry(
            nameBytes: entry.nameBytes, flags: entry.flags & Self.isUTF8 | Self.sizesFollow, time: entry.time)
        try begin(&entry)
        self.entry = entry
        deflater = Deflating()
    }

    mutating func write(_ bytes: [UInt8]) throws {
        try write(bytes, isLast: false)
    }

    private mutating func write(_ bytes: [UInt8], isLast: Bool) throws {
        guard let packed = deflater?.deflater.deflate(bytes, isLast: isLast) else { return }
        let before = entry?.checksum ?? 0
        entry?.checksum = ZipFile.checksum(of: bytes, after: before)
        entry?.size += bytes.count
        entry?.packedSize += packed.count
        try put(packed)
    }

    /// Ends the compressed entry.
    mutating func end() throws {
        try write([], isLast: true)
        guard let entry else { return }
        try put([0x50, 0x4B, 7, 8] + entry.checksum.bytes(4) + entry.packedSize.bytes(4) + entry.size.bytes(4))
        try enlist(entry)
        (self.entry, deflater) = (nil, nil)
    }

    /// Writes the list of the entries, and returns the file.
    package mutating func finish() throws -> OutputFile {
        let (start, length) = (position, list.count)
        try put(list)
        try put(
            [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count.bytes(2) + count.bytes(2) + length.bytes(4) + start.bytes(4)
                + [0, 0])
        return file
    }

    private mutating func begin(_ entry: inout ZipFile.Entry) throws {
        entry.offset = position
        try put([0x50, 0x4B, 3, 4] + entry.facts + entry.nameBytes)
    }

    private mutating func enlist(_ entry: ZipFile.Entry) throws {
        guard max(position, entry.size) <= ZipFile.mostBytes else {
            throw FileError(file: file.name, problem: "would be larger than 4 GiB; write CSV instead")
        }
        count += 1
        list += [0x50, 0x4B, 1, 2, 20, 0] + entry.facts + [UInt8](repeating: 0, count: 10)
        list += entry.offset.bytes(4) + entry.nameBytes
    }

    private mutating func put(_ bytes: [UInt8]) throws {
        position += bytes.count
        try file.write(bytes)
    }

    /// Flags of an entry: the checksum and the sizes are behind its bytes, its name is in UTF-8.
    private static let sizesFollow = 1 << 3
    private static let isUTF8 = 1 << 11
}

extension ZipFile.Entry {
    /// The part that is equal in the entry's own header and in the list: from the version that it needs, 2.0, to the
    /// lengths of the name and of the extra fields.
    fileprivate var facts: [UInt8] {
        20.bytes(2) + flags.bytes(2) + method.bytes(2) + time.bytes(4) + checksum.bytes(4) + packedSize.bytes(4)
            + size.bytes(4) + nameBytes.count.bytes(2) + [0, 0]
    }
}

extension Int {
    /// The lowest `count` bytes, the lowest first.
    fileprivate func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
