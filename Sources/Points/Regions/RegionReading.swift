import Formats

/// Reads an extract in three passes: relations, then ways, then nodes.
///
/// Each pass collects the ids that the next one needs, so the program never holds all nodes or ways of the file.
///
/// `@unchecked Sendable` is safe because only one thread at a time combines the parts of a pass, and other threads read
/// only what an earlier pass made.
final class RegionReading: @unchecked Sendable {
    var objects = RegionObjects()
    var addressNumbers: [RegionObjects.HouseAddress: UInt32] = [:]
    /// The parts of a number such as `5;7`, by the text of the whole.
    private var numberParts: [UInt32: [UInt32]] = [:]
    var wanted = WantedNodes()

    // From the relations.
    var areas: [AreaDraft] = []
    var streetRelations: [StreetRelation] = []
    /// Indices of `streetRelations` by the nodes and ways that are its houses.
    var streetsOfNodes: [Int64: Int] = [:]
    var streetsOfWays: [Int64: Int] = [:]
    /// Indices of `streetRelations` by the ways that are its streets.
    var relationsOfStreets: [Int64: [Int]] = [:]
    /// Tags of relations, by the first outer way of each. The way stands for the relation.
    var borrowedTags: [Int64: [RegionTags]] = [:]
    var wantedWays: Set<Int64> = []

    // From the ways.
    var boundaryWays: [Int64: BoundaryWay] = [:]
    var housesOfRelations: [(house: Int, relation: Int)] = []
    var placesOfWays: [(place: Int, line: Range<Int>)] = []
    var interpolations: [InterpolationDraft] = []
    var interpolationNodes: Set<Int64> = []

    // From the nodes.
    /// The first houses of the numbered nodes on lines of interpolation.
    var numberedNodes: [Int64: Int] = [:]

    /// The values of `highway` for streets that are only planned, and for things that are not streets.
    private static let noStreets: Set<String> = [
        "proposed", "planned", "construction", "abandoned", "razed", "demolished", "dismantled", "disused", "no",
        "platform", "bus_stop", "rest_area", "services", "raceway", "elevator", "emergency_bay",
        "emergency_access_point",
        "traffic_island", "via_ferrata", "escape", "corridor", "crossing", "street_lamp", "traffic_signals",
    ]

    private static let placeKinds: [String: RegionObjects.PlaceKind] = [
        "city": .city, "borough": .borough, "suburb": .suburb, "quarter": .quarter, "neighbourhood": .neighbourhood,
        "town": .town, "village": .village, "hamlet": .hamlet, "locality": .locality,
        "isolated_dwelling": .isolatedDwelling, "farm": .isolatedDwelling,
    ]

    struct AreaDraft {
        let id: Int64
        let kind: RegionObjects.AreaKind
        let tags: RegionTags
        var ways: [Int64] = []
        var labelNode: Int64?
        /// An index of `positions`.
        var label: Int?
    }

    struct StreetRelation {
        var address: RegionObjects.HouseAddress
    }

    struct BoundaryWay {
        let first, last: Int64
        let line: Range<Int>
    }

    func placeKind(_ tags: RegionTags) -> RegionObjects.PlaceKind? {
        tags[.name] == 0 ? nil : Self.placeKinds[objects.texts[tags[.place]]]
    }

    func isStreet(_ tags: RegionTags) -> Bool {
        guard tags[.name] != 0 else { return false }
        return isSquare(tags) || tags[.highway] != 0 && !Self.noStreets.contains(objects.texts[tags[.highway]])
    }

    func isSquare(_ tags: RegionTags) -> Bool {
        objects.texts[tags[.place]] == "square"
            || objects.texts[tags[.highway]] == "pedestrian" && objects.texts[tags[.area]] == "yes"
    }

    func number(of address: RegionObjects.HouseAddress) -> UInt32 {
        if let number = addressNumbers[address] { return number }
        let number = UInt32(objects.addresses.count)
        objects.addresses.append(address)
        addressNumbers[address] = number
        return number
    }

    /// The numbers in `5;7`, each once.
    func numbers(in text: UInt32) -> [UInt32] {
        if let parts = numberParts[text] { return parts }
        var parts: [UInt32] = []
        for part in objects.texts[text].split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let number = objects.texts.number(of: part)
            if number != 0, !parts.contains(number) { parts.append(number) }
        }
        numberParts[text] = parts
        return parts
    }

    /// Adds the houses of an object, and returns their indices.
    func addHouses(
        _ tags: RegionTags, kind: RegionObjects.HouseKind, at position: MapPosition, relation: Int?
    ) throws -> Range<Int> {
        let start = objects.houses.count
        guard tags.number != 0 else {
            if tags[.houseName] != 0 { objects.counts.housesWithoutNumber += 1 }
            return start..<start
        }
        let address = tags.address
        let isWithoutStreet = address.street == 0 && address.place == 0
        let numbers = numbers(in: tags.number)
        for number in numbers {
            if isWithoutStreet, let relation {
                housesOfRelations.append((objects.houses.count, relation))
            }
            objects.houses.append(
                RegionObjects.House(
                    position: position, number: number, address: self.number(of: address), kind: kind))
        }
        try checkSize()
        return start..<objects.houses.count
    }

    func addPosition() -> Int {
        objects.positions.append(.unknown)
        return objects.positions.count - 1
    }

    /// Houses and positions are numbered with 31 bits.
    func checkSize() throws {
        guard max(objects.houses.count, objects.positions.count) < Int(WantedNodes.isPosition) - 1_000_000 else {
            throw TooLarge()
        }
    }

    struct TooLarge: Error, CustomStringConvertible {
        let description = "the extract has more than two billion houses or nodes of streets; cut it: osmium extract"
    }
}

/// Translates the texts of a block into numbers of the region's texts.
struct BlockTexts {
    private var numbers: [UInt32]
    private static let unknown = UInt32.max

    init(_ part: RegionPart) {
        numbers = [UInt32](repeating: Self.unknown, count: part.block.textCount)
    }

    mutating func number(_ text: UInt32, in part: RegionPart, _ texts: inout TextTable) -> UInt32 {
        if numbers[Int(text)] == Self.unknown {
            numbers[Int(text)] = part.block.withText(text) { texts.number(of: $0) }
        }
        return numbers[Int(text)]
    }

    /// Reads the tags of an object. Alternative names are separated by semicolons.
    mutating func read(
        _ object: RegionPart.Object, of part: RegionPart, into tags: inout RegionTags, _ texts: inout TextTable
    ) {
        tags.clear()
        for tag in part.tags[object.tags] {
            let value = number(tag.value, in: part, &texts)
            guard tag.key == .otherName else {
                tags.set(tag.key, to: value)
                continue
            }
            let names = texts[value]
            guard names.utf8.contains(UInt8(ascii: ";")) else {
                tags.add(other: value)
                continue
            }
            for name in names.split(separator: ";") { tags.add(other: texts.number(of: name)) }
        }
    }
}
