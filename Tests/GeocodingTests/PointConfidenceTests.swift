import Foundation
import Testing

@testable import Geocoding

/// The confidence of the point, compared with measured distances of houses. Benchmarks/truth/make-distances.py made the
/// file, which has no addresses.
struct PointConfidenceTests {
    private let distances: [Precision: [Double]]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "house-distances.tsv")
        var distances: [Precision: [Double]] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "\t")
            let precision = try #require(Precision(rawValue: String(cells[0])))
            distances[precision, default: []].append(try #require(Double(cells[2])))
        }
        self.distances = distances
    }

    @Test func `a confidence promises no more houses within 200 metres than were measured`() throws {
        for precision in [Precision.interpolated, .street, .postcode, .city] {
            let all = try #require(distances[precision])
            #expect(all.count >= 400)
            let share = Double(all.count { $0 <= 200 }) / Double(all.count)
            let promised = precision.confidence(area: 1, isWeak: precision >= .street)
            #expect(promised <= share, "\(precision)")
            #expect(promised >= share - 0.1, "\(precision)")
        }
    }

    @Test func `nine of ten houses with a confidence of 0.9 are within 200 metres, whatever was found`() {
        var sure: [Double] = []
        for (precision, all) in distances where precision.confidence(area: 1, isWeak: precision >= .street) >= 0.9 {
            sure += all
        }
        #expect(sure.count >= 400)
        #expect(Double(sure.count { $0 <= 200 }) >= 0.9 * Double(sure.count))
    }

    @Test func `a street, postcode or town is never sure for a house, but is for itself`() {
        for precision in Precision.allCases where precision >= .street {
            #expect(precision.confidence(area: 1, isWeak: true) <= 0.7)
            #expect(precision.confidence(area: 0.97, isWeak: false) == 0.97)
        }
        #expect(Precision.rooftop.confidence(area: 0.97, isWeak: false) == 0.97)
    }
}
