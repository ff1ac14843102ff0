import Geocoding
import Towns

/// Collects the lines of the seed data and writes them as a `TownImage`.
struct ImageWriter {
    private var texts: [UInt8] = []
    private var offsets: [[UInt8]: UInt32] = [:]
    private var places: [StoredPlace] = []
    /// The places that reverse geocoding finds: without those that only a postcode names.
    private var placesInGrid = 0
    private var names: [StoredKey] = []
    private var postcodes: [StoredPostcode] = []
    private var postcodeKeys: [String] = []
    private var regions: [(country: Substring, code: String, name: String)] = []
    private var regionNumbers: [String: Int] = [:]
    /// Other names of a region, by its country and code.
    private var regionNames: [String: [String]] = [:]

    init() {
        _ = text("")
    }

    /// The columns: id, name, other names, country, region code, region, latitude, longitude, population
    mutating func addPlace(_ columns: [Substring]) {
        let place = UInt32(places.count)
        let name = String(columns[1])
        places.append(
            StoredPlace(
                name: text(name), country: Self.country(columns[3]),
                region: region(country: columns[3], code: columns[4], name: columns[5]),
                latitude: Self.degrees(columns[6]), longitude: Self.degrees(columns[7]),
                population: UInt32(columns[8]) ?? 0))
        placesInGrid = places.count
        addNames(of: columns, place)
    }

    /// A district, which reverse geocoding does not find. The columns are those of a place.
    mutating func addDistrict(_ columns: [Substring]) {
        let grid = placesInGrid
        addPlace(columns)
        placesInGrid = grid
    }

    private mutating func addNames(of columns: [Substring], _ place: UInt32) {
        let name = String(columns[1])
        var known: Set<String> = []
        for (index, name) in ([columns[1]] + columns[2].split(separator: "|")).enumerated() {
            for key in NameKeys.keys(of: String(name)) where known.insert(key).inserted {
                names.append(StoredKey(key: text(key), row: index == 0 ? place : place | StoredKey.otherName))
            }
        }
        if let short = NameKeys.shortKey(of: name), known.insert(short).inserted {
            names.append(StoredKey(key: text(short), row: place | StoredKey.shortName))
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
            names.append(StoredKey(key: text(key), row: place | StoredKey.postcodeName))
        }
    }

    /// The columns: country, postcode, place, region code, region, latitude, longitude
    mutating func addPostcode(_ columns: [Substring]) {
        let country = String(columns[0])
        postcodes.append(
            StoredPostcode(
                place: text(String(columns[2])), placeKey: text(Folding.loose(String(columns[2]))),
                country: Self.country(columns[0]),
                region: region(country: columns[0], code: columns[3], name: columns[4]),
                latitude: Self.degrees(columns[5]), longitude: Self.degrees(columns[6])))
        postcodeKeys.append(PostcodeText.key(String(columns[1]), in: country))
    }

    /// The columns: country, region code, other names
    mutating func addRegion(_ columns: [Substring]) {
        regionNames["\(columns[0])|\(columns[1])"] = columns[2].split(separator: "|").map(String.init)
    }

    /// The whole image in its packed form.
    mutating func image(sources: [UInt32]) -> [UInt8] {
        // In the order in which `PackedRows` visits the texts.
        let postcodeKeys = postcodeKeys.enumerated().map { StoredKey(key: text($1), row: UInt32($0)) }
        let storedRegions = regions.map { region in
            StoredRegion(
                country: UInt32(Self.country(region.country)), code: text(region.code), name: text(region.name),
                codeKey: text(Folding.loose(region.code)), nameKey: text(Folding.loose(region.name)))
        }
        let regionKeys = regions.enumerated().flatMap { index, region -> [StoredKey] in
            let others = regionNames["\(region.country)|\(region.code)"] ?? []
            let spellings = ([region.code, region.name] + others).map(Folding.loose)
            let keys = Set(spellings + spellings.flatMap(NameKeys.regionKeys)).filter {
                !$0.isEmpty && !$0.contains(where: \.isNumber)
            }
            return keys.sorted().map { StoredKey(key: text($0), row: UInt32(index)) }
        }
        let head: [UInt32] = sources
        var sections: [(bytes: [UInt8], count: Int)] = []
        func add<Element>(_ elements: [Element]) {
            sections.append((elements.withUnsafeBytes { Array($0) }, elements.count))
        }
        add(head)
        add(texts)
        add(places)
        add(postcodes)
        add(storedRegions)
        add(Self.slots(of: names))
        add(names)
        add(Self.slots(of: postcodeKeys))
        add(postcodeKeys)
        add(Self.slots(of: regionKeys))
        add(regionKeys)
        add([UInt32](repeating: 0, count: TownGrid.count + 1))
        add([UInt32](repeating: 0, count: placesInGrid))
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

    /// The slots of a hash table, which are zero.
    private static func slots(of keys: [StoredKey]) -> [UInt32] {
        var size = 1
        while size < keys.count * 3 / 2 { size *= 2 }
        return [UInt32](repeating: 0, count: size)
    }

    private mutating func region(country: Substring, code: Substring, name: Substring) -> UInt16 {
        let id = "\(country)|\(code)|\(name)"
        if let known = regionNumbers[id] { return UInt16(known) }
        regionNumbers[id] = regions.count
        regions.append((country, String(code), String(name)))
        return UInt16(regions.count - 1)
    }

    private mutating func text(_ string: String) -> UInt32 {
        let utf8 = Array(string.utf8)
        if let known = offsets[utf8] { return known }
        precondition(utf8.count < 256, "a name of the seed is longer than 255 bytes")
        let offset = UInt32(texts.count)
        texts.append(UInt8(utf8.count))
        texts += utf8
        offsets[utf8] = offset
        return offset
    }

    private static func country(_ code: Substring) -> UInt16 { CountryKey(code).value }

    private static func degrees(_ text: Substring) -> Int32 {
        Int32(((Double(text) ?? 0) * 100_000).rounded())
    }
}
