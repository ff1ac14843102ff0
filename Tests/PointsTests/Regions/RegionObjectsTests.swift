import Formats
import Foundation
import MapTesting
import Testing

@testable import Points

/// Compares the objects of a real map with those that osmium finds.
@Suite(.enabled("osmium is installed") { try await Osmium.isInstalled() })
struct RegionObjectsTests {
    let objects: RegionObjects

    init() throws {
        objects = try RegionObjects(reading: MapExtract(path: Osmium.sample))
    }

    @Test func `each house with a number is found, with its tags and position`() async throws {
        let map = try await PlainMap()
        var expected: [String] = []
        for object in map.objects {
            guard let numbers = object.tags["addr:housenumber"], let position = map.middle(of: object) else { continue }
            let keys = ["addr:street", "addr:place", "addr:city", "addr:suburb", "addr:postcode"]
            let parts = keys.map { object.tags[$0] ?? "" }.joined(separator: "|")
            let kind = object.kind == "w" ? "building" : object.tags["entrance"] == nil ? "node" : "entrance"
            for number in numbers.split(separator: ";") {
                expected.append("\(kind) \(number) \(parts) \(position.latitude),\(position.longitude)")
            }
        }
        #expect(expected.count == 198)
        #expect(objects.houses.map(objects.text).sorted() == expected.sorted())
    }

    @Test func `each street has the nodes of its way`() async throws {
        let map = try await PlainMap()
        let expected = map.objects.filter { $0.kind == "w" && $0.tags["highway"] != nil }.compactMap { way in
            way.tags["name"].map { "\($0) \(way.nodes.compactMap { map.positions[$0] })" }
        }
        let found = objects.streets.map { "\(objects.texts[$0.name]) \(Array(objects.positions[$0.line]))" }
        #expect(found.count == 1_213)
        #expect(found.sorted() == expected.sorted())
    }

    @Test func `the rings of boundaries have the sides that osmium finds`() async throws {
        let folder = NSTemporaryDirectory() + "waypost-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Osmium.run(
            "tags-filter", Osmium.sample, "r/boundary=administrative", "-o", "\(folder)/a.osm.pbf")
        let features = try await Osmium.run(
            "export", "\(folder)/a.osm.pbf", "-f", "geojsonseq", "--geometry-types=polygon", "-x",
            "print_record_separator=false")
        var expected: [String: Set<Side>] = [:]
        for line in features.split(separator: "\n") {
            let feature = try JSONDecoder().decode(Feature.self, from: Data(line.utf8))
            guard feature.properties["admin_level"] != nil, let name = feature.properties["name"] else { continue }
            for ring in feature.geometry.coordinates.joined() {
                expected[name, default: []].formUnion(Side.of(ring.map(MapPosition.init)))
            }
        }
        #expect(expected.count == 14)
        for area in objects.areas {
            let sides = objects.rings(of: area).reduce(into: Set<Side>()) { $0.formUnion(Side.of($1)) }
            #expect(sides == expected[objects.texts[area.name]], "\(objects.texts[area.name])")
        }
        #expect(Set(objects.areas.map { objects.texts[$0.name] }) == Set(expected.keys))
        #expect(objects.brokenBoundaries.count == 22)
    }

    @Test func `the towns of Liechtenstein are its municipalities, and their ancestors are known`() {
        let tree = AreaTree(objects, country: "LI")
        let towns = tree.isTown.indices.filter { tree.isTown[$0] }
        #expect(towns.count == 11)
        for town in towns {
            #expect(objects.areas[town].kind == .boundary(8))
            #expect(tree.ancestors(of: town).map { objects.areas[$0].kind } == [.boundary(6), .boundary(2)])
            #expect(tree.country(of: town, objects) == "LI")
            #expect(tree.innerPoints[town].isInside(objects.rings(of: objects.areas[town])))
        }
    }

    @Test func `two runs on several threads give the same objects`() throws {
        let again = try RegionObjects(reading: MapExtract(path: Osmium.sample))
        #expect(again.houses.map(again.text) == objects.houses.map(objects.text))
        #expect(again.positions == objects.positions)
        #expect(again.counts == objects.counts)
    }
}

private struct Feature: Decodable {
    let properties: [String: String]
    let geometry: Geometry

    struct Geometry: Decodable {
        let coordinates: [[[[Double]]]]
    }
}

extension MapPosition {
    fileprivate init(_ degrees: [Double]) {
        self.init(latitude: Int32((degrees[1] * 1e7).rounded()), longitude: Int32((degrees[0] * 1e7).rounded()))
    }
}

/// A side of a ring, in either direction.
private struct Side: Hashable {
    let ends: Set<MapPosition>

    static func of(_ ring: [MapPosition]) -> Set<Side> {
        Set(zip(ring, ring.dropFirst()).map { Side(ends: [$0, $1]) })
    }
}

/// The objects of the sample, as osmium lists them.
private struct PlainMap {
    struct Object {
        let kind: Character
        let id: Int64
        var tags: [String: String] = [:]
        var nodes: [Int64] = []
    }

    private(set) var objects: [Object] = []
    private(set) var positions: [Int64: MapPosition] = [:]

    init() async throws {
        for line in try await Osmium.lines(of: Osmium.sample) {
            let fields = line.split(separator: " ")
            guard let kind = fields[0].first, let id = Int64(fields[0].dropFirst()) else { continue }
            var object = Object(kind: kind, id: id)
            var (latitude, longitude): (Double?, Double?)
            for field in fields.dropFirst() {
                let rest = field.dropFirst()
                switch field.first {
                case "T":
                    for tag in rest.split(separator: ",") {
                        let parts = tag.split(separator: "=", maxSplits: 1).map(Osmium.unescaped)
                        object.tags[parts[0]] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
                    }
                case "N": object.nodes = rest.split(separator: ",").compactMap { Int64($0.dropFirst()) }
                case "x": longitude = Double(rest)
                case "y": latitude = Double(rest)
                default: break
                }
            }
            if let latitude, let longitude { positions[id] = MapPosition([longitude, latitude]) }
            objects.append(object)
        }
    }

    /// The position of a node, or the middle of two nodes of a way.
    func middle(of object: Object) -> MapPosition? {
        if object.kind == "n" { return positions[object.id] }
        guard let first = object.nodes.first.flatMap({ positions[$0] }),
            let opposite = positions[object.nodes[object.nodes.count / 2]]
        else { return nil }
        return MapPosition(
            latitude: (first.latitude + opposite.latitude) / 2, longitude: (first.longitude + opposite.longitude) / 2)
    }
}
