import Formats

/// The keys of OpenStreetMap that a region uses.
enum RegionKey: UInt8, CaseIterable {
    case type, boundary, adminLevel, name, place, population, highway, area, building, entrance, postalCode
    case country, countryOrOther, subdivision
    case number, otherNumber, houseName, street, addressPlace, city, suburb, district, postcode, interpolation
    /// Any key of another name: it may occur several times.
    case otherName

    static let byText: [String: RegionKey] = [
        "type": .type, "boundary": .boundary, "admin_level": .adminLevel, "name": .name, "place": .place,
        "population": .population, "highway": .highway, "area": .area, "building": .building, "entrance": .entrance,
        "postal_code": .postalCode, "ISO3166-1:alpha2": .country, "ISO3166-1": .countryOrOther,
        "ISO3166-2": .subdivision, "addr:housenumber": .number, "addr:conscriptionnumber": .otherNumber,
        "addr:housename": .houseName, "addr:street": .street, "addr:place": .addressPlace, "addr:city": .city,
        "addr:suburb": .suburb, "addr:district": .district, "addr:postcode": .postcode,
        "addr:interpolation": .interpolation, "alt_name": .otherName, "old_name": .otherName,
        "official_name": .otherName, "loc_name": .otherName, "short_name": .otherName, "int_name": .otherName,
        "name:left": .otherName, "name:right": .otherName,
    ]

    init?(_ text: String) {
        if let key = Self.byText[text] {
            self = key
        } else if text.hasPrefix("name:"), Self.isLanguage(text.dropFirst(5)) {
            self = .otherName
        } else {
            return nil
        }
    }

    /// True for `de` and `zh-Hant`, and false for `etymology` and `prefix`.
    private static func isLanguage(_ text: Substring) -> Bool {
        let code = text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        return (2...3).contains(code.count) && code.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}

/// The keys that an object has.
struct RegionKeys: OptionSet {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ key: RegionKey) { rawValue = 1 << UInt32(key.rawValue) }

    static let named = RegionKeys(.name)
    static let numbered: RegionKeys = [RegionKeys(.number), RegionKeys(.otherNumber)]
    static let street: RegionKeys = [RegionKeys(.highway), .named]
    static let place: RegionKeys = [RegionKeys(.place), .named]
    static let houseName = RegionKeys(.houseName)
    static let interpolation = RegionKeys(.interpolation)
    static let boundary: RegionKeys = [RegionKeys(.boundary)]
    static let typed = RegionKeys(.type)

    /// Objects that are a house, a street, a place or a line of interpolation, or part of such a thing.
    var isWanted: Bool {
        !isDisjoint(with: [.numbered, .interpolation, .houseName]) || isSuperset(of: .street) || isSuperset(of: .place)
    }
}

/// The objects of a block that a region uses, with their tags.
struct RegionPart: Sendable {
    struct Object: Sendable {
        let id: Int64
        var position: MapPosition?
        var tags: Range<Int>
        /// A range of `nodes` or of `members`.
        var parts = 0..<0
    }

    struct Tag: Sendable {
        let key: RegionKey
        /// A number of the block's texts.
        let value: UInt32
    }

    let block: MapBlock
    var objects: [Object] = []
    var tags: [Tag] = []
    var nodes: [Int64] = []
    var members: [MapMember] = []
    /// Positions for wanted nodes.
    var placed: [PlacedNode] = []
    var count = 0
    /// The key of each text of the block that was met as a key: its raw value, `unknown` or `unused`.
    private var keys: [UInt8]

    private static let unknown: UInt8 = 255
    private static let unused: UInt8 = 254

    init(_ block: MapBlock) {
        self.block = block
        keys = [UInt8](repeating: Self.unknown, count: block.textCount)
    }

    /// Appends the used tags of an object, and returns their keys. ``dropTags(from:)`` removes them again.
    mutating func addTags(_ given: [MapTag]) -> RegionKeys {
        var result: RegionKeys = []
        for tag in given {
            let place = Int(tag.key)
            if keys[place] == Self.unknown {
                let text = block.withText(tag.key) { String(decoding: $0, as: UTF8.self) }
                keys[place] = RegionKey(text)?.rawValue ?? Self.unused
            }
            guard let key = RegionKey(rawValue: keys[place]) else { continue }
            tags.append(Tag(key: key, value: tag.value))
            result.insert(RegionKeys(key))
        }
        return result
    }

    mutating func dropTags(from start: Int) {
        tags.removeSubrange(start...)
    }
}

/// The tags of one object, as numbers of the region's texts.
struct RegionTags: Sendable {
    private var values = [UInt32](repeating: 0, count: RegionKey.allCases.count)
    private(set) var others: [UInt32] = []

    subscript(_ key: RegionKey) -> UInt32 { values[Int(key.rawValue)] }

    mutating func clear() {
        for place in values.indices { values[place] = 0 }
        if !others.isEmpty { others.removeAll() }
    }

    mutating func set(_ key: RegionKey, to value: UInt32) { values[Int(key.rawValue)] = value }

    mutating func add(other name: UInt32) {
        if name != 0, !others.contains(name) { others.append(name) }
    }

    /// The other names without the name.
    var otherNames: [UInt32] { others.filter { $0 != self[.name] } }

    var number: UInt32 { self[.number] != 0 ? self[.number] : self[.otherNumber] }

    var address: RegionObjects.HouseAddress {
        RegionObjects.HouseAddress(
            street: self[.street], place: self[.addressPlace], city: self[.city],
            district: self[.suburb] != 0 ? self[.suburb] : self[.district], postcode: self[.postcode])
    }
}
