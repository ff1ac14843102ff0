import CSeed
import CZlib

/// The places, names, postcodes and regions of the gazetteer, as the flat arrays that `SeedMaker` wrote.
///
/// It lies compressed in the program and is unpacked when somebody first asks: a fifth of a second, and some 50 MB.
/// All numbers are little-endian, all texts UTF-8 behind their length.
///
/// Unchecked: the memory is filled before anybody sees it, never changes after that, and is never given back.
package struct TownImage: @unchecked Sendable {
    package static let shared = TownImage(unpacking: seed_towns(), to: seed_towns_end())

    /// The sections, in the order in which they lie. Stored: their number and order are the format.
    package enum Section: Int, CaseIterable {
        case head, texts, places, postcodes, regions, nameSlots, names, postcodeSlots, postcodeKeys, regionSlots,
            regionKeys, cells, placesByCell
    }

    package static let magic: UInt32 = 0x5459_5732

    private let bytes: UnsafeRawPointer
    private let offsets: [Int]
    private let counts: [Int]

    /// - Precondition: The bytes are an image, packed by zlib.
    private init(unpacking start: UnsafePointer<UInt8>?, to end: UnsafePointer<UInt8>?) {
        guard let start, let end else { preconditionFailure("the gazetteer is not in the binary") }
        self.init(Self.unpacked(UnsafeBufferPointer(start: start, count: end - start)))
    }

    package init(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 256 else { preconditionFailure("the gazetteer is empty") }
        let words = base.assumingMemoryBound(to: UInt32.self)
        precondition(words[0] == Self.magic, "the gazetteer in the binary has another format")
        self.bytes = base
        offsets = Section.allCases.map { Int(words[1 + 2 * $0.rawValue]) }
        counts = Section.allCases.map { Int(words[2 + 2 * $0.rawValue]) }
    }

    package func count(of section: Section) -> Int { counts[section.rawValue] }

    package func pointer<Element>(to section: Section, as type: Element.Type = Element.self) -> UnsafePointer<Element> {
        (bytes + offsets[section.rawValue]).assumingMemoryBound(to: type)
    }

    /// The text that lies at `offset` of the texts.
    package func text(at offset: UInt32) -> UnsafeBufferPointer<UInt8> {
        let start = pointer(to: .texts, as: UInt8.self) + Int(offset)
        return UnsafeBufferPointer(start: start + 1, count: Int(start.pointee))
    }

    package func string(at offset: UInt32) -> String {
        String(decoding: text(at: offset), as: UTF8.self)
    }

    /// The sums by zlib's CRC-32 of the three files that the image was made of.
    package var sources: [UInt32] {
        let head = pointer(to: .head, as: UInt32.self)
        return [head[0], head[1], head[2]]
    }

    /// Memory that is never given back, filled with what `packed` holds; the first four bytes of that say how much.
    private static func unpacked(_ packed: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer {
        let size = packed.prefix(4).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        var length = UInt(size)
        let status = uncompress(
            memory.baseAddress?.assumingMemoryBound(to: UInt8.self), &length, packed.baseAddress.map { $0 + 4 },
            UInt(packed.count - 4))
        precondition(status == Z_OK && length == size, "the gazetteer in the binary is damaged (zlib says \(status))")
        return UnsafeRawBufferPointer(memory)
    }
}

/// A town as it lies in the image.
package struct StoredPlace {
    package var name: UInt32
    package var country: UInt16
    package var region: UInt16
    /// In units of a hundred-thousandth of a degree.
    package var latitude: Int32
    package var longitude: Int32
    package var population: UInt32

    package init(name: UInt32, country: UInt16, region: UInt16, latitude: Int32, longitude: Int32, population: UInt32) {
        (self.name, self.country, self.region) = (name, country, region)
        (self.latitude, self.longitude, self.population) = (latitude, longitude, population)
    }
}

/// A postcode of a place; many places may have the same.
package struct StoredPostcode {
    package var place: UInt32
    /// The place's name, folded.
    package var placeKey: UInt32
    package var country: UInt16
    package var region: UInt16
    package var latitude: Int32
    package var longitude: Int32

    package init(place: UInt32, placeKey: UInt32, country: UInt16, region: UInt16, latitude: Int32, longitude: Int32) {
        (self.place, self.placeKey, self.country, self.region) = (place, placeKey, country, region)
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

/// A region by its code and its name, both as written and folded.
package struct StoredRegion {
    package var country: UInt32
    package var code: UInt32
    package var name: UInt32
    package var codeKey: UInt32
    package var nameKey: UInt32

    package init(country: UInt32, code: UInt32, name: UInt32, codeKey: UInt32, nameKey: UInt32) {
        (self.country, self.code, self.name) = (country, code, name)
        (self.codeKey, self.nameKey) = (codeKey, nameKey)
    }
}

/// What a key stands for: one of the rows of a section. Entries of the same key lie side by side.
package struct StoredKey {
    package var key: UInt32
    package var row: UInt32

    package init(key: UInt32, row: UInt32) { (self.key, self.row) = (key, row) }

    /// Set where the name is one of a town's other names.
    package static let otherName: UInt32 = 1 << 31
    /// Set where it is the beginning of a longer name.
    package static let shortName: UInt32 = 1 << 30
}
