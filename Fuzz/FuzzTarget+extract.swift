import Formats
import Points

extension FuzzTarget {
    /// A block of an extract is read into a region, whose areas are cut into cells. The bytes are also read as a whole
    /// file, and as the edge of a cell.
    static let extract = FuzzTarget(
        name: "extract",
        seeds: [
            text(
                block(
                    ["place", "village", "name", "Au"],
                    group(1, [8, 2] + field(2, [1, 3]) + field(3, [2, 4]) + [0x40, 20, 0x48, 30]))),
            text(block(["addr:housenumber", "5;7", "addr:street", "Au"], group(2, nodes([1, 2, 3, 4, 0, 0, 0])))),
            text(
                block(
                    ["boundary", "administrative", "admin_level", "8", "name", "Au", "type"],
                    group(2, nodes([0, 0, 0]))
                        + group(3, [8, 1] + field(2, [1, 3, 5]) + field(3, [2, 4, 6]) + field(8, [2, 2, 2, 3]))
                        + group(
                            4,
                            [8, 1] + field(2, [1, 3, 5, 7]) + field(3, [2, 4, 6, 1]) + field(8, [0]) + field(9, [2])
                                + field(10, [1])))),
            text(
                block(
                    [
                        "addr:interpolation", "all", "addr:housenumber", "3", "9", "highway", "a", "associatedStreet",
                        "type", "house", "name",
                    ],
                    group(2, nodes([3, 4, 0, 0, 3, 5, 0]))
                        + group(3, [8, 1] + field(2, [1, 6, 11]) + field(3, [2, 7, 7]) + field(8, [2, 2, 2]))
                        + group(
                            4,
                            [8, 1] + field(2, [9, 11]) + field(3, [8, 7]) + field(8, [10]) + field(9, [2])
                                + field(10, [0])))),
            text(header),
        ],
        run: { bytes in
            let files = FuzzFolder.shared
            readCell(bytes)
            files.put(bytes)
            _ = try? MapExtract(path: files.input)
            files.put(header + blob("OSMData", bytes))
            guard let map = try? MapExtract(path: files.input), let objects = try? RegionObjects(reading: map) else {
                return
            }
            let tree = AreaTree(objects, country: "LI")
            let ids = objects.areas.indices.reduce(into: [Int: Int]()) { $0[$1] = $1 }
            attempt {
                try AreaCells.cut(objects, ids: ids) { leaf in
                    for point in tree.innerPoints { _ = try leaf.areas(containing: point) }
                }
            }
        })

    /// Three nodes, with the list of their tags.
    private static func nodes(_ tags: [UInt8]) -> [UInt8] {
        field(1, [2, 2, 2]) + field(8, [20, 40, 60]) + field(9, [10, 9, 40]) + field(10, tags)
    }

    private static let header = blob("OSMHeader", field(4, Array("DenseNodes".utf8)))
}

/// All numbers of the seeds are below 128, so the seeds are text.
private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

private func varint(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
}

private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    [number << 3 | 2] + varint(content.count) + content
}

private func group(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] { field(2, field(kind, content)) }

private func block(_ texts: [String], _ groups: [UInt8]) -> [UInt8] {
    field(1, ([""] + texts).flatMap { field(1, Array($0.utf8)) }) + groups
}

/// A block that is not compressed, behind its header.
private func blob(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let content = field(1, content)
    let header = field(1, Array(type.utf8)) + [0x18] + varint(content.count)
    return [0, 0, 0, UInt8(header.count)] + header + content
}

/// Reads the bytes as the edge of a cell, whose depth is the first byte.
private func readCell(_ bytes: [UInt8]) {
    guard let depth = bytes.first else { return }
    let leaf = AreaCell(cell: 0, depth: Int(depth % 26), inside: [], edge: Array(bytes.dropFirst()))
    for position in [(-900_000_000, -1_800_000_000), (0, 0), (-899_999_990, -1_799_999_990)] {
        _ = try? leaf.areas(containing: MapPosition(latitude: Int32(position.0), longitude: Int32(position.1)))
    }
}
