import CZlib

/// Memory with the unpacked bytes of a block.
///
/// `@unchecked Sendable` is safe because nothing changes the memory after `init`.
final class UnpackedBytes: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    init(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        buffer = UnsafeRawBufferPointer(memory)
        try fill(memory)
    }

    deinit { buffer.deallocate() }
}

/// A block of an extract: a table of texts, and groups of objects.
package struct MapBlock: Sendable {
    private let bytes: UnpackedBytes
    private let texts: [Range<UInt32>]
    /// The places of the groups in `bytes`.
    private let groups: [Range<Int>]
    package let kinds: MapKinds
    let grid: MapGrid

    init(packed: [UInt8]) throws {
        bytes = try Self.unpack(packed)
        var cursor = WireCursor(bytes.buffer)
        var (texts, groups, kinds) = ([Range<UInt32>](), [Range<Int>](), MapKinds())
        var grid = MapGrid()
        while let (number, form) = try cursor.field() {
            switch number {
            case 1: texts = try Self.texts(try cursor.message(form))
            case 2:
                var group = try cursor.message(form)
                groups.append(group.position..<(group.position + group.count))
                if let (kind, _) = try group.field() { kinds.insert(MapKinds(group: kind)) }
            case 17: grid.granularity = Int64(truncatingIfNeeded: try cursor.number(form))
            case 19: grid.latitude = Int64(bitPattern: try cursor.number(form))
            case 20: grid.longitude = Int64(bitPattern: try cursor.number(form))
            default: try cursor.skip(form)
            }
        }
        (self.texts, self.groups, self.kinds, self.grid) = (texts, groups, kinds, grid)
    }

    /// The number of texts. A tag's key and value are numbers below it.
    package var textCount: Int { texts.count }

    /// Calls `body` with a text as it is in the file, which need not be valid UTF-8.
    package func withText<Result>(_ number: UInt32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        let place = texts[Int(number)]
        return try withExtendedLifetime(bytes) {
            try body(UnsafeRawBufferPointer(rebasing: bytes.buffer[Int(place.lowerBound)..<Int(place.upperBound)]))
        }
    }

    func forEachGroup(_ body: (inout WireCursor) throws -> Void) rethrows {
        try withExtendedLifetime(bytes) {
            for place in groups {
                var cursor = WireCursor(UnsafeRawBufferPointer(rebasing: bytes.buffer[place]))
                try body(&cursor)
            }
        }
    }

    private static func texts(_ table: WireCursor) throws(MapDamage) -> [Range<UInt32>] {
        var cursor = table
        var texts: [Range<UInt32>] = []
        // A block has at most 32 MiB, so its places fit into 32 bits.
        while let (number, form) = try cursor.field() {
            guard number == 1 else {
                try cursor.skip(form)
                continue
            }
            let text = try cursor.message(form)
            texts.append(UInt32(text.position)..<UInt32(text.position + text.count))
        }
        return texts
    }
}

extension MapBlock {
    /// The fields of a blob that have its bytes, by the name of their compression.
    private static let compressions = [4: "lzma", 5: "bzip2", 6: "lz4", 7: "zstd"]

    static func unpack(_ packed: [UInt8]) throws -> UnpackedBytes {
        try packed.withUnsafeBytes { packed in
            var cursor = WireCursor(packed)
            var (raw, zlib): (WireCursor?, WireCursor?)
            var size: Int?
            while let (number, form) = try cursor.field() {
                switch number {
                case 1: raw = try cursor.message(form)
                case 2: size = Int(exactly: try cursor.number(form))
                case 3: zlib = try cursor.message(form)
                case 4...7:
                    throw MapDamage(
                        "it is compressed with \(compressions[number, default: "an unknown method"])",
                        advice: "write the file again: osmium cat -f pbf,pbf_compression=zlib FILE -o map.osm.pbf")
                default: try cursor.skip(form)
                }
            }
            if let raw {
                return UnpackedBytes(count: raw.count) { $0.copyMemory(from: raw.rest) }
            }
            guard let zlib, let size else { throw MapDamage("it has no content") }
            guard size <= MapExtract.mostBlobBytes else { throw MapDamage("it unpacks to more than 32 MiB") }
            return try inflate(zlib.rest, to: size)
        }
    }

    private static func inflate(_ packed: UnsafeRawBufferPointer, to size: Int) throws -> UnpackedBytes {
        try UnpackedBytes(count: size) { buffer in
            var count = UInt(size)
            let status = uncompress(
                buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), &count,
                packed.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(packed.count))
            guard status == Z_OK, count == size else { throw MapDamage("its compressed bytes are damaged") }
        }
    }
}

/// The kinds of objects in a block.
package struct MapKinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let nodes = MapKinds(rawValue: 1)
    package static let ways = MapKinds(rawValue: 2)
    package static let relations = MapKinds(rawValue: 4)
    /// The block was read, whatever it contains.
    static let known = MapKinds(rawValue: 128)

    var objects: MapKinds { intersection([.nodes, .ways, .relations]) }
    /// The kinds before and after a kind in a sorted file.
    var before: MapKinds { MapKinds(rawValue: rawValue &- 1).objects }
    var after: MapKinds { MapKinds(rawValue: ~(rawValue << 1 &- 1)).objects }
    var next: MapKinds { MapKinds(rawValue: rawValue << 1) }

    /// By the number of a group's first field. A group has objects of one kind.
    init(group number: Int) {
        switch number {
        case 1, 2: self = [.known, .nodes]
        case 3: self = [.known, .ways]
        case 4: self = [.known, .relations]
        default: self = .known
        }
    }
}
