import Processes

/// An extract of OpenStreetMap in PBF: https://wiki.openstreetmap.org/wiki/PBF_Format
///
/// Only the headers of the blocks are read at first. ``read(_:threads:onProgress:transform:combine:)`` reads the blocks.
///
/// `@unchecked Sendable` is safe because the file is only read by `pread`, and `kinds` has a lock.
package final class MapExtract: @unchecked Sendable {
    /// The place of a block in the file.
    struct Blob {
        let offset: Int
        let size: Int
    }

    package var name: String { file.name }
    package let size: Int
    /// The program that wrote the file; nil if the file does not say so.
    package let writer: String?
    /// True if the header promises nodes first, then ways and relations, each in the order of ids.
    package let isSorted: Bool
    let blobs: [Blob]
    /// The kinds of objects of each block; empty for a block that was not read yet.
    let kinds: Locked<[MapKinds]>

    private let file: InputFile

    /// https://wiki.openstreetmap.org/wiki/PBF_Format#File_format
    static let mostHeaderBytes = 64 << 10
    static let mostBlobBytes = 32 << 20

    package init(path: String) throws {
        let file = try InputFile(path: path)
        guard let size = file.size else {
            throw FileError(file: file.name, problem: "is a map, and can't be read from a pipe; name the file")
        }
        (self.file, self.size) = (file, size)
        if let problem = OtherMapFormat.problem(beginning: try file.bytes(at: 0, count: min(16, size))) {
            throw FileError(file: file.name, problem: problem)
        }
        let index = try BlobIndex(of: file, size: size)
        let header = try Self.damage(at: index.header.offset, of: file) {
            try MapHeader(MapBlock.unpack(index.header.bytes(of: file)))
        }
        if let problem = header.problem { throw FileError(file: file.name, problem: problem) }
        (writer, isSorted, blobs) = (header.writer, header.isSorted, index.data)
        kinds = Locked([MapKinds](repeating: [], count: index.data.count))
    }

    /// Reads and unpacks a block.
    func block(_ number: Int) throws -> MapBlock {
        let blob = blobs[number]
        let block = try damage(at: blob.offset) { try MapBlock(packed: blob.bytes(of: file)) }
        kinds.withLock { $0[number] = block.kinds }
        return block
    }

    func damage<Result>(at offset: Int, _ body: () throws -> Result) throws -> Result {
        try Self.damage(at: offset, of: file, body)
    }

    /// Names the file and the place in the error.
    private static func damage<Result>(at offset: Int, of file: InputFile, _ body: () throws -> Result) throws -> Result
    {
        do {
            return try body()
        } catch let damage as MapDamage {
            throw FileError(file: file.name, problem: damage.sentence(at: offset))
        }
    }
}

extension MapDamage {
    func sentence(at offset: Int) -> String {
        "the block at byte \(offset) can't be read: \(problem); \(advice ?? "download the file again")"
    }
}

extension MapExtract.Blob {
    func bytes(of file: InputFile) throws -> [UInt8] { try file.bytes(at: offset, count: size) }
}

/// The blocks of a file, by their headers.
private struct BlobIndex {
    let header: MapExtract.Blob
    private(set) var data: [MapExtract.Blob] = []

    init(of file: InputFile, size: Int) throws {
        var position = 0
        var first: MapExtract.Blob?
        while position < size {
            let start = position
            func damage(_ problem: String) -> FileError {
                FileError(file: file.name, problem: MapDamage(problem).sentence(at: start))
            }
            guard size - position >= 4 else { throw damage("the file is cut short") }
            let length = try file.bytes(at: position, count: 4).reduce(0) { $0 << 8 | Int($1) }
            guard (1...MapExtract.mostHeaderBytes).contains(length) else { throw damage("its header is too large") }
            guard size - position - 4 >= length else { throw damage("the file is cut short") }
            let header: (type: String, size: Int)
            do {
                header = try Self.header(try file.bytes(at: position + 4, count: length))
            } catch let error as MapDamage {
                throw damage(error.problem)
            }
            position += 4 + length
            guard header.size <= MapExtract.mostBlobBytes else { throw damage("it has more than 32 MiB") }
            guard size - position >= header.size else { throw damage("the file is cut short") }
            let blob = MapExtract.Blob(offset: position, size: header.size)
            position += header.size
            switch header.type {
            case "OSMHeader": first = first ?? blob
            case "OSMData":
                guard first != nil else { throw damage("the file does not begin with a header") }
                data.append(blob)
            // The format lets a reader skip other types.
            default: break
            }
        }
        guard let first else { throw FileError(file: file.name, problem: OtherMapFormat.noMap) }
        self.header = first
    }

    private static func header(_ bytes: [UInt8]) throws -> (type: String, size: Int) {
        try bytes.withUnsafeBytes { bytes in
            var cursor = WireCursor(bytes)
            var header = (type: "", size: Int?.none)
            while let (number, form) = try cursor.field() {
                switch number {
                case 1: header.type = String(decoding: try cursor.message(form).rest, as: UTF8.self)
                case 3: header.size = Int(exactly: try cursor.number(form))
                default: try cursor.skip(form)
                }
            }
            guard let size = header.size else { throw MapDamage("its header has no size") }
            return (header.type, size)
        }
    }
}

/// Formats of maps that we can't read but that people try first.
enum OtherMapFormat {
    static let noMap =
        "is not a map in PBF, whose name usually ends in .osm.pbf; from another format: osmium cat FILE -o map.osm.pbf"

    /// The problem with a file that begins with these bytes; nil if it may be PBF.
    static func problem(beginning bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return "is empty" }
        if let (_, name) = signs.first(where: { bytes.starts(with: $0.bytes) }) {
            return "is \(name), and not PBF; if it is a map: osmium cat FILE -o map.osm.pbf"
        }
        // The first header has a length below 64 KiB and begins with its type: a tag, a length, OSMHeader.
        guard bytes.count > 6, bytes[0] == 0, bytes[1] <= 1, bytes[4] == 0x0A else { return noMap }
        return nil
    }

    private static let signs: [(bytes: [UInt8], name: String)] = [
        (Array("<".utf8), "XML"), (Array("\u{FEFF}<".utf8), "XML"), ([0x1F, 0x8B], "compressed with gzip"),
        (Array("BZh".utf8), "compressed with bzip2"), ([0xFF, 0xE0], "o5m"),
        (Array("{".utf8), "JSON"), ([0x50, 0x4B, 0x03, 0x04], "a zip archive"),
    ]
}
