import Geocoding
import Towns

/// Collects the lines of the seed data and writes them as a `TownImage`.
struct ImageWriter {
    private var texts: [UInt8] = []
    private var offsets: [[UInt8]: UInt32] = [:]
    private var places: [StoredPlace] = []
    /// The places that reverse geocoding finds: without those that only a postcode names.
    private var placesInGrid = 0
    private var names: [Key] = []
    private var postcodes: [StoredPostcode] = []
    private var postcodeKeys: [Key] = []
    private var regions: [StoredRegion] = []
    private var regionNumbers: [String: Int] = [:]
    /// Other names of a region, by its country and code.
    private var regionNames: [String: [String]] = [:]

    private struct Key {
        let bytes: [UInt8]
        let row: UInt32
        /// Among equal keys, the larger weight comes first.
        let weight: Int
    }

    init() {
        _ = text("")
    }

    /// The columns: id, name, other names, country, region code, region, latitude, longitude, population
    mutating func addPlace(_ columns: [Substring]) {
        let place = UInt32(places.count)
        let name = String(columns[1])
        let population = Int(columns[8]) ?? 0
        places.append(
            StoredPlace(
                name: text(name), country: Self.country(columns[3]),
                region: region(country: columns[3], code: columns[4], name: columns[5]),
                latitude: Self.degrees(columns[6]), longitude: Self.degrees(columns[7]), population: UInt32(population))
        )
        placesInGrid = places.count
        var known: Set<String> = []
        for (index, name) in ([columns[1]] + columns[2].split(separator: "|")).enumerated() {
            for key in NameKeys.keys(of: String(name)) where known.insert(key).inserted {
                names.append(
                    Key(
                        bytes: Array(key.utf8), row: index == 0 ? place : place | StoredKey.otherName,
                        weight: population))
            }
        }
        if let short = NameKeys.shortKey(of: name), known.insert(short).inserted {
            names.append(Key(bytes: Array(short.utf8), row: place | StoredKey.shortName, weight: population))
        }
    }

    /// A place that only a postcode names. The columns are those of the postcode.
    mutating func addTown(ofPostcode columns: [Substring]) {
        let place = UInt32(places.count)
        places.append(
            StoredPlace(
                name: text(String(columns[2])), country: Self.country(columns[0]),
                region: region(country: columns[0], code: columns[3], name: columns[4]),
                latitude: Self.degrees(columns[5]), longitude: Self.degrees(columns[6]), population: 0))
        for key in NameKeys.keys(of: String(columns[2])) {
            names.append(Key(bytes: Array(key.utf8), row: place | StoredKey.postcodeName, weight: -1))
        }
    }

    /// The columns: country, postcode, place, region code, region, latitude, longitude
    mutating func addPostcode(_ columns: [Substring]) {
        let row = UInt32(postcodes.count)
        let country = String(columns[0])
        postcodes.append(
            StoredPostcode(
                place: text(String(columns[2])), placeKey: text(Folding.loose(String(columns[2]))),
                country: Self.country(columns[0]),
                region: region(country: columns[0], code: columns[3], name: columns[4]),
                latitude: Self.degrees(columns[5]), longitude: Self.degrees(columns[6])))
        let key = PostcodeText.key(String(columns[1]), in: country)
        postcodeKeys.append(Key(bytes: Array(key.utf8), row: row, weight: 0))
    }

    /// The columns: country, region code, other names
    mutating func addRegion(_ columns: [Substring]) {
        regionNames["\(columns[0])|\(columns[1])"] = columns[2].split(separator: "|").map(String.init)
    }

    /// The whole image in its packed form.
    mutating func image(sources: [UInt32]) -> [UInt8] {
        let regionKeys = regions.enumerated().flatMap { index, region -> [Key] in
            let country = CountryKey(UInt16(region.country)).code
            let others = regionNames["\(country)|\(string(at: region.code))"] ?? []
            let spellings = [region.codeKey, region.nameKey].map { string(at: $0) } + others.map(Folding.loose)
            let keys = Set(spellings + spellings.flatMap(NameKeys.regionKeys)).filter {
                !$0.isEmpty && !$0.contains(where: \.isNumber)
            }
            return keys.sorted().map { Key(bytes: Array($0.utf8), row: UInt32(index), weight: 0) }
        }
        let (nameSlots, nameEntries) = table(of: names)
        let (postcodeSlots, postcodeEntries) = table(of: postcodeKeys)
        let (regionSlots, regionEntries) = table(of: regionKeys)
        let (cells, placesByCell) = grid()
        let head: [UInt32] = sources
        var sections: [(bytes: [UInt8], count: Int)] = []
        func add<Element>(_ elements: [Element]) {
            sections.append((elements.withUnsafeBytes { Array($0) }, elements.count))
        }
        add(head)
        add(texts)
        add(places)
        add(postcodes)
        add(regions)
        add(nameSlots)
        add(nameEntries)
        add(postcodeSlots)
        add(postcodeEntries)
        add(regionSlots)
        add(regionEntries)
        add(cells)
        add(placesByCell)
        precondition(sections.count == TownImage.Section.allCases.count)
        var words: [UInt32] = [TownImage.magic]
        var offset = 256
        for section in sections {
            words += [UInt32(offset), UInt32(section.count)]
            offset += (section.bytes.count + 63) / 64 * 64
        }
        var image = words.withUnsafeBytes { Array($0) }
        image += [UInt8](repeating: 0, count: 256 - image.count)
        for section in sections {
            image += section.bytes
            image += [UInt8](repeating: 0, count: (64 - image.count % 64) % 64)
        }
        image.withUnsafeMutableBytes(PackedRows.pack)
        return image
    }

    /// The entries of a hash table, and its slots, which are zero.
    private mutating func table(of keys: [Key]) -> (slots: [UInt32], entries: [StoredKey]) {
        let sorted = keys.sorted { one, other in
            if one.bytes != other.bytes { return one.bytes.lexicographicallyPrecedes(other.bytes) }
            return (-one.weight, one.row) < (-other.weight, other.row)
        }
        var size = 1
        while size < sorted.count * 3 / 2 { size *= 2 }
        return ([UInt32](repeating: 0, count: size), sorted.map { StoredKey(key: text($0.bytes), row: $0.row) })
    }

    /// The places sorted by their cells, and where each cell begins in that list.
    private func grid() -> (cells: [UInt32], places: [UInt32]) {
        var members: [Int: [UInt32]] = [:]
        for (index, place) in places.prefix(placesInGrid).enumerated() {
            members[TownGrid.cell(latitude: place.latitude, longitude: place.longitude), default: []]
                .append(UInt32(index))
        }
        var cells: [UInt32] = []
        var list: [UInt32] = []
        for cell in 0..<TownGrid.count {
            cells.append(UInt32(list.count))
            list += members[cell] ?? []
        }
        cells.append(UInt32(list.count))
        return (cells, list)
    }

    private mutating func region(country: Substring, code: Substring, name: Substring) -> UInt16 {
        let id = "\(country)|\(code)|\(name)"
        if let known = regionNumbers[id] { return UInt16(known) }
        regionNumbers[id] = regions.count
        regions.append(
            StoredRegion(
                country: UInt32(Self.country(country)), code: text(String(code)), name: text(String(name)),
                codeKey: text(Folding.loose(String(code))), nameKey: text(Folding.loose(String(name)))))
        return UInt16(regions.count - 1)
    }

    private mutating func text(_ string: String) -> UInt32 { text(Array(string.utf8)) }

    private mutating func text(_ utf8: [UInt8]) -> UInt32 {
        if let known = offsets[utf8] { return known }
        precondition(utf8.count < 256, "a name of the seed is longer than 255 bytes")
        let offset = UInt32(texts.count)
        texts.append(UInt8(utf8.count))
        texts += utf8
        offsets[utf8] = offset
        return offset
    }

    private func string(at offset: UInt32) -> String {
        let start = Int(offset) + 1
        return String(decoding: texts[start..<(start + Int(texts[Int(offset)]))], as: UTF8.self)
    }

    private static func country(_ code: Substring) -> UInt16 { CountryKey(code).value }

    private static func degrees(_ text: Substring) -> Int32 {
        Int32(((Double(text) ?? 0) * 100_000).rounded())
    }
}
