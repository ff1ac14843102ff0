import CEmbedded

/// The places, names, postcodes and regions of the gazetteer, as the flat arrays that `SeedMaker` wrote.
///
/// All numbers are little-endian. A text is UTF-8 after a byte with its length.
///
/// Unchecked: the memory is filled before it is published, never changes after that, and is never freed.
package struct TownImage: @unchecked Sendable {
    package static let shared: TownImage = {
        guard let start = seed_towns(), let end = seed_towns_end() else {
            preconditionFailure("the gazetteer is not in the binary")
        }
        let packed = UnsafeBufferPointer(start: start, count: end - start)
        return TownImage(UnpackedImage(packed, restoredBy: PackedRows.unpack).bytes())
    }()

    /// The sections in their order. Their numbers and order are the stored format.
    package enum Section: Int, CaseIterable {
        case head, texts, places, postcodes, regions, nameSlots, names, postcodeSlots, postcodeKeys, regionSlots,
            regionKeys, cells, placesByCell
    }

    package static let magic: UInt32 = 0x5459_5732

    private let bytes: UnsafeRawPointer
    private let offsets: [Int]
    private let counts: [Int]

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

    /// The text at `offset` of the section of texts.
    package func text(at offset: UInt32) -> UnsafeBufferPointer<UInt8> {
        let start = pointer(to: .texts, as: UInt8.self) + Int(offset)
        return UnsafeBufferPointer(start: start + 1, count: Int(start.pointee))
    }

    package func string(at offset: UInt32) -> String {
        String(decoding: text(at: offset), as: UTF8.self)
    }

    /// The CRC-32 checksums (zlib) of the files that the image was made from.
    package var sources: [UInt32] {
        Array(UnsafeBufferPointer(start: pointer(to: .head), count: count(of: .head)))
    }
}

/// A town in the format of the image.
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

/// A postcode of a place. Several places may have the same postcode.
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

/// A region with its code and its name, both as written and folded.
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

/// One key and its row of a section. Entries with the same key are adjacent.
package struct StoredKey {
    package var key: UInt32
    package var row: UInt32

    package init(key: UInt32, row: UInt32) { (self.key, self.row) = (key, row) }

    /// Set if the name is one of a town's other names.
    package static let otherName: UInt32 = 1 << 31
    /// Set if the name is the beginning of a longer name.
    package static let shortName: UInt32 = 1 << 30
    /// Set if the town is known only from the places of postcodes: most are villages, and some are parts of towns.
    package static let postcodeName: UInt32 = 1 << 29
}

/// Divides the Earth into cells of half a degree, in rows from the south pole, to find nearby places.
package enum TownGrid {
    static let columns = 720
    static let rows = 360
    package static var count: Int { rows * columns }

    /// The cell of a position in hundred-thousandths of a degree.
    package static func cell(latitude: Int32, longitude: Int32) -> Int {
        cell(row: row(Double(latitude) / 100_000), column: column(Double(longitude) / 100_000))
    }

    /// Fills the cells of an image, which are zero, and the list of the places in them.
    static func fill(_ image: TownImage) {
        let places = image.pointer(to: .places, as: StoredPlace.self)
        let cells = UnsafeMutablePointer(mutating: image.pointer(to: .cells, as: UInt32.self))
        let list = UnsafeMutablePointer(mutating: image.pointer(to: .placesByCell, as: UInt32.self))
        let members = (0..<image.count(of: .placesByCell)).map {
            cell(latitude: places[$0].latitude, longitude: places[$0].longitude)
        }
        for cell in members { cells[cell] += 1 }
        for cell in 1...count { cells[cell] += cells[cell - 1] }
        // A cell begins where its first place is.
        for (place, cell) in members.enumerated().reversed() {
            cells[cell] -= 1
            list[Int(cells[cell])] = UInt32(place)
        }
    }

    static func row(_ latitude: Double) -> Int { min(max(Int(((latitude + 90) * 2).rounded(.down)), 0), rows - 1) }

    /// May be outside of the grid, if a search crosses the date line.
    static func column(_ longitude: Double) -> Int { Int(((longitude + 180) * 2).rounded(.down)) }

    static func cell(row: Int, column: Int) -> Int {
        row * columns + (column % columns + columns) % columns
    }
}
