import CZlib
import HTTP

/// The entries of a zip archive: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
final class ZipFile {
    struct Entry {
        let nameBytes: [UInt8]
        var flags = 0
        /// 0 for bytes as they are, 8 for deflate.
        var method = 8
        /// Date and time in the notation of MS-DOS, by default the earliest, 1980-01-01.
        var time = 0x21_0000
        var checksum = 0
        var packedSize = 0
        var size = 0
        /// The position of the entry's own header.
        var offset = 0

        var name: String { String(decoding: nameBytes, as: UTF8.self) }
    }

    let file: InputFile
    private(set) var entries: [Entry] = []

    /// The largest size of a file and of an entry without the extension Zip64, which we read but don't write.
    static let mostBytes = 0xFFFF_FFFE
    private static let mostEntries = 10_000

    /// Reads the list at the end of the archive.
    init(_ file: InputFile) throws {
        self.file = file
        guard let size = file.size else {
            throw FileError(file: file.name, problem: "is a workbook, and can't be read from a pipe; name the file")
        }
        let start = max(0, size - 65_557)
        let tail = try file.bytes(at: start, count: size - start)
        guard let end = tail.lastIndex(ofSignature: 0x0605_4B50, length: 22) else { throw damage }
        var (count, length, offset) = (tail.short(end + 10), tail.word(end + 12), tail.word(end + 16))
        if count == 0xFFFF || length == 0xFFFF_FFFF || offset == 0xFFFF_FFFF, end >= 20 {
            let large = try file.bytes(at: tail.long(end - 12), count: 56)
            guard tail.word(end - 20) == 0x0706_4B50, large.word(0) == 0x0606_4B50 else { throw damage }
            (count, length, offset) = (large.long(32), large.long(40), large.long(48))
        }
        // An empty entry has 46 bytes, so a small file can't claim a long list.
        guard count <= Self.mostEntries, length <= size else { throw damage }
        let list = try file.bytes(at: offset, count: length)
        var position = 0
        for _ in 0..<count { try readEntry(of: list, &position) }
    }

    /// The error for an archive whose parts contradict each other.
    var damage: FileError { .damage(file.name) }

    subscript(name: String) -> Entry? {
        // Names of parts are compared without case: https://www.ecma-international.org/publications-and-standards/standards/ecma-376/
        entries.first { $0.name == name } ?? entries.first { $0.name.lowercased() == name.lowercased() }
    }

    private func readEntry(of list: [UInt8], _ position: inout Int) throws {
        let start = position
        guard start + 46 <= list.count, list.word(start) == 0x0201_4B50 else { throw damage }
        let (nameEnd, extra) = (start + 46 + list.short(start + 28), list.short(start + 30))
        position = nameEnd + extra + list.short(start + 32)
        guard position <= list.count else { throw damage }
        var large = list[nameEnd..<(nameEnd + extra)].zip64[...]
        func number(_ offset: Int) throws -> Int {
            let short = list.word(start + offset)
            guard short == 0xFFFF_FFFF else { return short }
            guard let number = large.popFirst() else { throw damage }
            return number
        }
        let (size, packedSize, offset) = (try number(24), try number(20), try number(42))
        // Larger numbers are nonsense, and sums of them would overflow.
        guard max(size, packedSize, offset) < 1 << 48 else { throw damage }
        entries.append(
            Entry(
                nameBytes: Array(list[(start + 46)..<nameEnd]), flags: list.short(start + 8),
                method: list.short(start + 10), time: list.word(start + 12), checksum: list.word(start + 16),
                packedSize: packedSize, size: size, offset: offset))
    }

    /// The position of the entry's bytes.
    func start(of entry: Entry) throws -> Int {
        let header = try file.bytes(at: entry.offset, count: 30)
        guard header.word(0) == 0x0403_4B50 else { throw damage }
        return entry.offset + 30 + header.short(26) + header.short(28)
    }

    /// By default the entries of a workbook, which we could also write.
    func contents(of entry: Entry, atMost most: Int = mostBytes) throws -> ZipContents {
        try ZipContents(entry, of: self, atMost: most)
    }

    /// The CRC-32 of bytes with the checksum `before`, followed by `bytes`.
    static func checksum(of bytes: [UInt8], after before: Int = 0) -> Int {
        Int(crc32(UInt(before), bytes, UInt32(bytes.count)))
    }
}

/// The unpacked bytes of an entry, piece by piece.
final class ZipContents {
    private let zip: ZipFile
    private let entry: ZipFile.Entry
    private var inflater = Inflater(isRaw: true)
    private var position: Int
    private let end: Int
    private let start: Int
    private var size = 0
    private var checksum = 0

    /// A file of this ratio is not a table but a bomb: https://www.bamsoftware.com/hacks/zipbomb/
    ///
    /// A sheet of equal rows has about 11, because the numbers of the rows differ.
    private static let mostRatio = 200
    private static let harmless = 16 << 20

    init(_ entry: ZipFile.Entry, of zip: ZipFile, atMost most: Int) throws {
        (self.zip, self.entry) = (zip, entry)
        guard entry.flags & 1 == 0 else {
            throw FileError(file: zip.file.name, problem: "is encrypted; save it without a password")
        }
        guard entry.method == 0 || entry.method == 8, entry.size <= most else {
            throw FileError(file: zip.file.name, problem: "is packed in an unusual way; save it again")
        }
        start = try zip.start(of: entry)
        position = start
        end = position + entry.packedSize
        guard entry.packedSize >= 0, let size = zip.file.size, end <= size else { throw zip.damage }
    }

    /// How many packed bytes were used.
    var bytesRead: Int { position - start }

    /// The next piece; nil at the end. Throws if the bytes are not those that were packed.
    func next() throws -> [UInt8]? {
        while true {
            let piece: [UInt8]?
            if entry.method == 0 {
                piece = position < end ? try read() : nil
            } else {
                do { piece = try inflater.next() } catch { throw zip.damage }
                if piece == nil, position < end {
                    inflater.add(try read())
                    continue
                }
            }
            guard let piece else {
                guard size == entry.size, checksum == entry.checksum else { throw zip.damage }
                return nil
            }
            size += piece.count
            guard size <= entry.size else { throw zip.damage }
            guard size <= Self.harmless || size / Self.mostRatio <= entry.packedSize else {
                throw FileError(
                    file: zip.file.name,
                    problem:
                        "unpacks to more than \(Self.mostRatio) times its size, like a zip bomb; save its table as CSV"
                )
            }
            checksum = ZipFile.checksum(of: piece, after: checksum)
            return piece
        }
    }

    private func read() throws -> [UInt8] {
        let piece = try zip.file.bytes(at: position, count: min(64 << 10, end - position))
        position += piece.count
        return piece
    }
}

extension [UInt8] {
    func short(_ position: Int) -> Int { Int(self[position]) | Int(self[position + 1]) << 8 }
    func word(_ position: Int) -> Int { short(position) | short(position + 2) << 16 }
    func long(_ position: Int) -> Int { word(position) | (word(position + 4) & 0x7FFF_FFFF) << 32 }

    fileprivate func lastIndex(ofSignature signature: Int, length: Int) -> Int? {
        guard count >= length else { return nil }
        return (0...(count - length)).last { word($0) == signature }
    }
}

extension ArraySlice<UInt8> {
    /// The sizes and the offset of a large entry, as far as they don't fit into 32 bits.
    fileprivate var zip64: [Int] {
        let bytes = Array(self)
        var position = 0
        while position + 4 <= bytes.count {
            let (id, length) = (bytes.short(position), bytes.short(position + 2))
            position += 4
            guard position + length <= bytes.count else { break }
            if id == 1 { return (0..<(length / 8)).map { bytes.long(position + 8 * $0) } }
            position += length
        }
        return []
    }
}
