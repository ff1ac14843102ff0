import Formats
import Foundation
import MapTesting
import Testing

@testable import Points

struct AreaCellTests {
    @Test(arguments: 1...8)
    func `cells agree with rays through the whole area`(seed: Int) throws {
        var random = SeededRandom(state: UInt64(seed))
        let size = [3_000, 200_000, 20_000_000, 300_000_000][seed % 4]
        let areas = (0..<6).map { _ in MadeArea(within: size, &random) }
        let cells = try Cells(areas.map(\.rings))
        for _ in 0..<1_500 {
            let point = MapPosition.random(within: size * 2, &random)
            let expected = areas.indices.filter { point.isInside(areas[$0].rings) }
            let found = try cells.areas(at: point).sorted()
            guard found != expected else { continue }
            // Corners are rounded to 9 cm, and once more at each depth.
            let nearBorder = areas.contains { $0.hasBorder(within: 100, of: point) }
            #expect(nearBorder, "\(point): \(found), expected \(expected)")
        }
    }

    @Test(arguments: [(1, 1_000), (2, 40_000), (3, 3_000_000), (4, 60_000_000)])
    func `a point inside a net of neighbours is in exactly one of them, also on a border`(
        seed: Int, side: Int
    ) throws {
        var random = SeededRandom(state: UInt64(seed))
        let net = MadeNet(side: side, &random)
        let cells = try Cells(net.rings)
        let corners = net.rings.joined().joined()
        var points = (0..<2_000).map { _ in MapPosition.random(within: side * 2, &random) }
        points += corners.shuffled(using: &random).prefix(2_000)
        points += zip(corners, corners.dropFirst()).prefix(3_000).map { $0.middle(to: $1) }
        // The outer border is a square.
        let inner = points.filter { abs(Int($0.latitude)) < 2 * side - 8 && abs(Int($0.longitude)) < 2 * side - 8 }
        #expect(inner.count > 4_000)
        for point in inner {
            let found = try cells.areas(at: point)
            #expect(found.count == 1, "\(point): \(found)")
        }
    }

    @Test func `leaves are in order, do not overlap, and have few corners`() throws {
        var random = SeededRandom(state: 5)
        let cells = try Cells((0..<10).map { _ in MadeArea(within: 30_000_000, &random).rings })
        #expect(cells.leaves.count > 50)
        for (leaf, next) in zip(cells.leaves, cells.leaves.dropFirst()) {
            #expect(leaf.cell + 1 << Int64(2 * (32 - leaf.depth)) <= next.cell)
        }
        #expect(cells.leaves.allSatisfy { $0.edge.count < 1_200 })
        #expect(cells.leaves.contains { !$0.inside.isEmpty })
    }

    @Test func `a position between leaves is in no area`() throws {
        let square = ring([(0, 0), (0, 5_000), (5_000, 5_000), (5_000, 0)])
        let far = ring([(90_000_000, 90_000_000), (90_000_000, 90_005_000), (90_005_000, 90_005_000)])
        let cells = try Cells([[square], [far]])
        #expect(try cells.areas(at: MapPosition(latitude: 2_500, longitude: 2_500)) == [0])
        for (latitude, longitude) in [
            (45_000_000, 45_000_000), (-2_500, 2_500), (900_000_000, 1_800_000_000), (-900_000_000, -1_800_000_000),
        ] {
            #expect(try cells.areas(at: MapPosition(latitude: Int32(latitude), longitude: Int32(longitude))) == [])
        }
    }

    @Test func `the world and its ends are in a cell of the world`() throws {
        let world = ring([
            (-900_000_000, -1_800_000_000), (-900_000_000, 1_800_000_000), (900_000_000, 1_800_000_000),
            (900_000_000, -1_800_000_000),
        ])
        let cells = try Cells([[world]])
        #expect(cells.leaves.map(\.depth) == [0])
        for (latitude, longitude) in [(-900_000_000, -1_800_000_000), (0, 0), (899_999_999, 1_799_999_999)] {
            #expect(try cells.areas(at: MapPosition(latitude: Int32(latitude), longitude: Int32(longitude))) == [0])
        }
    }

    @Test func `many corners in one place end at the greatest depth`() throws {
        var random = SeededRandom(state: 6)
        let corners = (0..<400).map { _ in
            (Int.random(in: 0...60, using: &random), Int.random(in: 0...60, using: &random))
        }
        let cells = try Cells([[ring(corners)]])
        #expect(cells.leaves.contains { $0.depth == AreaCell.mostDepth })
        #expect(cells.leaves.count < 10)
    }

    @Test func `damaged bytes give an error or ids, and no trap`() throws {
        var random = SeededRandom(state: 7)
        let cells = try Cells((0..<10).map { _ in MadeArea(within: 30_000_000, &random).rings })
        var errors = 0
        for _ in 0..<20_000 {
            guard let leaf = cells.leaves.randomElement(using: &random), !leaf.edge.isEmpty else { continue }
            var edge = leaf.edge
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                edge[Int.random(in: edge.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            edge.removeLast(Int.random(in: 0...1, using: &random))
            let damaged = AreaCell(
                cell: Bool.random(using: &random) ? leaf.cell : .random(in: .min ... .max, using: &random),
                depth: Bool.random(using: &random) ? leaf.depth : .random(in: -3...40, using: &random), inside: [],
                edge: edge)
            let square = CellSquare(cell: leaf.cell, depth: leaf.depth)
            let point = MapPosition(
                latitude: Int32(clamping: (Int64(square?.y ?? 0) << 3) - 900_000_000 + 5),
                longitude: Int32(clamping: (Int64(square?.x ?? 0) << 3) - 1_800_000_000 + 5))
            do { _ = try damaged.areas(containing: point) } catch { errors += 1 }
            _ = damaged.contains(MapPosition(latitude: .min, longitude: .max))
        }
        #expect(errors > 1_000)
    }

    @Test func `the cells of Liechtenstein's towns find the town of each house`() async throws {
        let objects = try RegionObjects(reading: MapExtract(path: Osmium.sample))
        var leaves: [AreaCell] = []
        let ids = objects.areas.indices.reduce(into: [Int: Int]()) { $0[$1] = $1 + 100 }
        try AreaCells.cut(objects, ids: ids) { leaves.append($0) }
        let cells = Cells(leaves: leaves)
        for house in objects.houses {
            let expected = objects.areas.indices.filter {
                house.position.isInside(objects.rings(of: objects.areas[$0]))
            }
            #expect(try cells.areas(at: house.position).sorted() == expected.map { $0 + 100 })
        }
        let bytes = leaves.reduce(0) { $0 + $1.edge.count }
        #expect((100...1_000).contains(leaves.count), "\(leaves.count) leaves, \(bytes) bytes")
    }

    @Test func `a city that is its own district or state is a town, and a district with towns is not`() async throws {
        func box(_ id: Int, _ west: Int, _ south: Int, _ east: Int, _ north: Int, _ level: Int, _ name: String)
            -> String
        {
            let corners = [(west, south), (west, north), (east, north), (east, south)]
            let nodes = corners.enumerated().map { "n\(id * 10 + $0) x\($1.0) y\($1.1)" }.joined(separator: "\n")
            return nodes + "\nw\(id) Tboundary=administrative,admin_level=\(level),name=\(name) "
                + "N\((0...3).map { "n\(id * 10 + $0)" }.joined(separator: ",")),n\(id * 10)"
        }
        let map = try await MadeMap(
            [
                box(1, 0, 0, 40, 40, 4, "State"), box(2, 1, 1, 9, 9, 6, "District"), box(3, 2, 2, 3, 3, 8, "Village"),
                box(4, 11, 1, 19, 9, 6, "City"), box(5, 50, 1, 60, 9, 4, "CityState"), box(6, 51, 2, 52, 3, 9, "Ward"),
            ].joined(separator: "\n").split(separator: "\n").sorted { $0.first! < $1.first! }.joined(separator: "\n"))
        let tree = AreaTree(map.objects, country: "DE")
        let towns = map.objects.areas.indices.filter { tree.isTown[$0] }.map {
            map.objects.texts[map.objects.areas[$0].name]
        }
        #expect(towns.sorted() == ["City", "CityState", "Village"])
        let names = map.objects.areas.indices.map { index in
            tree.ancestors(of: index).map { map.objects.texts[map.objects.areas[$0].name] }
        }
        #expect(names == [[], ["State"], ["District", "State"], ["State"], [], ["CityState"]])
    }
}

/// Leaves in memory, found as in the table.
private struct Cells {
    let leaves: [AreaCell]

    init(leaves: [AreaCell]) { self.leaves = leaves }

    init(_ areas: [[[MapPosition]]]) throws {
        var leaves: [AreaCell] = []
        try AreaCells.cut(areas.enumerated().map { id, rings in AreaCells.Source(id: id) { rings } }) {
            leaves.append($0)
        }
        self.leaves = leaves
    }

    func areas(at position: MapPosition) throws -> [Int] {
        let number = AreaCell.number(at: position)
        var (low, high) = (0, leaves.count)
        while low < high {
            let middle = (low + high) / 2
            if leaves[middle].cell <= number { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? [] : try leaves[low - 1].areas(containing: position)
    }
}

private func ring(_ corners: [(Int, Int)]) -> [MapPosition] {
    let ring = corners.map { MapPosition(latitude: Int32($0.0), longitude: Int32($0.1)) }
    return ring + ring.prefix(1)
}

extension MapPosition {
    fileprivate static func random(within size: Int, _ random: inout SeededRandom) -> MapPosition {
        MapPosition(
            latitude: .random(in: Int32(-size)...Int32(size), using: &random),
            longitude: .random(in: Int32(-size)...Int32(size), using: &random))
    }
}

/// Jagged rings and a chaotic one, which may lie in each other and cross each other.
private struct MadeArea {
    let rings: [[MapPosition]]

    init(within size: Int, _ random: inout SeededRandom) {
        rings = (0..<Int.random(in: 1...4, using: &random)).map { number in
            let y = Int.random(in: -size / 2...size / 2, using: &random)
            let x = Int.random(in: -size / 2...size / 2, using: &random)
            let count = number == 3 ? 9 : Int.random(in: 3...200, using: &random)
            return ring(
                (0..<count).map { step in
                    let angle =
                        number == 3 ? Double.random(in: 0...7, using: &random) : Double(step) / Double(count) * 2 * .pi
                    let radius = Double(size) * Double.random(in: 0.1...0.4, using: &random)
                    return (y + Int(radius * sin(angle)), x + Int(radius * cos(angle)))
                })
        }
    }

    func hasBorder(within distance: Double, of point: MapPosition) -> Bool {
        rings.contains { ring in
            zip(ring, ring.dropFirst()).contains { start, end in
                let (x, y) = (
                    Double(end.longitude) - Double(start.longitude), Double(end.latitude) - Double(start.latitude)
                )
                let (toX, toY) = (
                    Double(point.longitude) - Double(start.longitude), Double(point.latitude) - Double(start.latitude)
                )
                let share = x * x + y * y > 0 ? min(1, max(0, (toX * x + toY * y) / (x * x + y * y))) : 0
                return (toX - share * x).magnitude + (toY - share * y).magnitude < distance
            }
        }
    }
}

/// A square, divided into 16 areas with crooked borders.
private struct MadeNet {
    let rings: [[[MapPosition]]]

    init(side: Int, _ random: inout SeededRandom) {
        var corners: [[MapPosition]] = []
        for row in 0...4 {
            corners.append(
                (0...4).map { column in
                    let shift = { (place: Int, random: inout SeededRandom) in
                        place % 4 == 0 ? 0 : Int.random(in: -side / 8...side / 8, using: &random)
                    }
                    return MapPosition(
                        latitude: Int32((row - 2) * side + shift(row, &random)),
                        longitude: Int32((column - 2) * side + shift(column, &random)))
                })
        }
        /// A line between two corners, which is straight on the outer border.
        func line(_ start: MapPosition, _ end: MapPosition, isOuter: Bool) -> [MapPosition] {
            (0..<40).map { step in
                let shift =
                    isOuter || step == 0 ? 0 : Int64.random(in: Int64(-side / 200)...Int64(side / 200), using: &random)
                let part = { (from: Int32, to: Int32) in
                    Int32(Int64(from) + (Int64(to) - Int64(from)) * Int64(step) / 40 + shift)
                }
                return MapPosition(
                    latitude: part(start.latitude, end.latitude), longitude: part(start.longitude, end.longitude))
            } + [end]
        }
        let across = (0...4).map { row in
            (0..<4).map { line(corners[row][$0], corners[row][$0 + 1], isOuter: row % 4 == 0) }
        }
        let along = (0..<4).map { row in
            (0...4).map { line(corners[row][$0], corners[row + 1][$0], isOuter: $0 % 4 == 0) }
        }
        rings = (0..<16).map { number in
            let (row, column) = (number / 4, number % 4)
            let sides = [
                across[row][column], along[row][column + 1], across[row + 1][column].reversed(),
                along[row][column].reversed(),
            ]
            return [sides.flatMap { $0.dropLast() } + corners[row][column...column]]
        }
    }
}
