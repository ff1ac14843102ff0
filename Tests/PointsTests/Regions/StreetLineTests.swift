import Formats
import Testing

@testable import Points

struct StreetLineTests {
    private func position(_ random: inout SeededRandom) -> MapPosition {
        MapPosition(
            latitude: .random(in: -900_000_000...900_000_000, using: &random),
            longitude: .random(in: -1_800_000_000...1_800_000_000, using: &random))
    }

    @Test func `lines come back within a metre, and simplified within ten`() throws {
        var random = SeededRandom(state: 1)
        for _ in 1...200 {
            let start = position(&random)
            var line = [start]
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                guard let last = line.last else { continue }
                line.append(
                    MapPosition(
                        latitude: Int32(clamping: Int(last.latitude) + .random(in: -3_000...3_000, using: &random)),
                        longitude: Int32(clamping: Int(last.longitude) + .random(in: 0...3_000, using: &random))))
            }
            let read = StreetLine.lines(in: StreetLine.bytes(of: [line[...], line[...]]))
            #expect(read.count == 2)
            let kept = try #require(read.first)
            #expect(kept.count <= line.count)
            for position in line {
                let distance = try #require(LocalMetres(around: position).nearest(on: kept)?.distance)
                #expect(distance < 12)
            }
            let ends = [(line.first, kept.first), (line.last, kept.last)]
            for case (let one?, let other?) in ends { #expect(LocalMetres(around: one).distance(to: other) < 2) }
        }
    }

    @Test func `any bytes are lines or nothing`() {
        var random = SeededRandom(state: 2)
        for _ in 1...20_000 {
            var bytes = StreetLine.bytes(of: [[position(&random), position(&random)][...]])
            for _ in 0...2 {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.insert(255, at: place)
                default: if bytes.count > 1 { bytes.remove(at: place) }
                }
            }
            for position in StreetLine.lines(in: bytes).joined() {
                _ = LocalMetres(around: position).nearest(on: [position, MapPosition(latitude: .max, longitude: .min)])
            }
        }
        #expect(StreetLine.lines(in: [1]) == [])
        #expect(StreetLine.lines(in: [255]) == [])
    }

    @Test func `the grid finds each street within its square, and survives lines around the world`() {
        var random = SeededRandom(state: 3)
        var grid = StreetGrid()
        let positions = (0..<500).map { _ in position(&random) }
        for (index, position) in positions.enumerated() {
            grid.add([position, positions[(index + 1) % 500]], of: UInt32(index))
        }
        grid.sort()
        for (index, position) in positions.enumerated() {
            var found: Set<UInt32> = []
            grid.forEachStreet(near: position) { found.insert($0) }
            #expect(found.contains(UInt32(index)))
        }
    }
}
