import Foundation
import Testing
package import Tracking

/// A case of tracks.json. The SQL function is held to the same file.
package struct TrackVector: Decodable, CustomTestStringConvertible, Sendable {
    package struct Expected: Decodable, Equatable {
        package let id: String
        package let wait_time: Double

        package init(id: String, wait_time: Double) {
            self.id = id
            self.wait_time = wait_time
        }
    }

    package let name: String
    package let radius: Double?
    package let top_speed: Double?
    package let fixes: [Fix]
    package let locations: [Expected]
    package let doubted: [String]

    package var testDescription: String { name }
    package var rule: TrackingRule { TrackingRule(radius: radius ?? 50, topSpeed: top_speed ?? 350) }

    package static let all: [TrackVector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tracks.json")
        do { return try JSONDecoder().decode([Self].self, from: Data(contentsOf: file)) } catch {
            fatalError("\(file.path()): \(error)")
        }
    }()
}

/// Rests, walks, jumps that can't be, moments that come twice.
package func wandering(count: Int, _ dice: inout Dice) -> [Fix] {
    var (lat, lng, time) = (60.17, 24.94, 1_700_000_000.0)
    return (0..<count).map { number in
        time += [0, 1, 10, 60, 400].randomElement(using: &dice) ?? 1
        switch Int.random(in: 0..<10, using: &dice) {
        case 0: return Fix(id: "\(number)", lat: lat + 3, lng: lng, timestamp: time)
        case 1...3: (lat, lng) = (lat + 0.001, lng - 0.002)
        case 4: (lat, lng) = (lat - 0.000_4, lng)
        default: break
        }
        return Fix(
            id: "\(number)", lat: lat, lng: lng, accuracy: [nil, 5, 40, 900].randomElement(using: &dice) ?? nil,
            timestamp: time, waitTime: Int.random(in: 0..<20, using: &dice) == 0 ? 30 : 0)
    }
}

/// The same numbers for the same seed.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    // SplitMix64, https://prng.di.unimi.it/splitmix64.c
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    package mutating func throwsHeads() -> Bool { Bool.random(using: &self) }
}
