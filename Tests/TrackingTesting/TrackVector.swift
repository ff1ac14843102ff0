import Foundation
import Testing
package import Tracking

/// A case of tracks.json. The rule for apps and the stored rows are tested with the same file.
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
    package let longest_gap: Double?
    package let stops: [Double]?
    package let fixes: [Fix]
    package let locations: [Expected]
    package let doubted: [String]

    package var testDescription: String { name }
    package var rule: TrackingRule {
        TrackingRule(
            radius: radius ?? 50, topSpeed: top_speed ?? 350, longestGap: longest_gap ?? 43_200, stops: stops ?? [])
    }

    package static let all: [TrackVector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tracks.json")
        do { return try JSONDecoder().decode([Self].self, from: Data(contentsOf: file)) } catch {
            fatalError("\(file.path()): \(error)")
        }
    }()
}

/// Rests, walks, impossible jumps, and repeated times.
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

/// Two days of a phone that sends a position every 20 seconds: nine stays, the ways between them, the usual noise of
/// GPS, and strays.
package func twoDaysOfNineStays(seed: UInt64) -> [Fix] {
    var dice = Dice(seed: seed)
    let (home, work, shop, friend) = ((60.170, 24.940), (60.199, 24.930), (60.182, 24.955), (60.165, 24.900))
    let stays: [(place: (Double, Double), hours: Double)] = [
        (home, 8), (work, 8), (shop, 0.5), (home, 12.5), (work, 4), (friend, 2), (work, 3), (shop, 0.5), (home, 6),
    ]
    var fixes: [Fix] = []
    func add(_ place: (Double, Double)) {
        let (north, east) = (15 * dice.normal(), 15 * dice.normal())
        let isStray = Int.random(in: 0..<500, using: &dice) == 0
        let reach = isStray ? Double.random(in: 150...3_000, using: &dice) : 0
        let turn = Double.random(in: 0..<6.283, using: &dice)
        fixes.append(
            Fix(
                id: "\(fixes.count)", lat: place.0 + (north + reach * sin(turn)) / 111_195,
                lng: place.1 + (east + reach * cos(turn)) / 55_600, accuracy: Double.random(in: 5...25, using: &dice),
                timestamp: 1_700_000_000 + Double(fixes.count) * 20))
    }
    for (stay, next) in zip(stays, stays.dropFirst().map { $0 as (place: (Double, Double), hours: Double)? } + [nil]) {
        for _ in 0..<Int(stay.hours * 180) { add(stay.place) }
        guard let next else { break }
        // Twenty minutes of travel.
        for step in 1..<60 {
            let share = Double(step) / 60
            add(
                (
                    stay.place.0 + share * (next.place.0 - stay.place.0),
                    stay.place.1 + share * (next.place.1 - stay.place.1)
                ))
        }
    }
    return fixes
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

    /// A number from the standard normal distribution: https://en.wikipedia.org/wiki/Box-Muller_transform
    mutating func normal() -> Double {
        let (one, other) = (Double.random(in: 0.000_001..<1, using: &self), Double.random(in: 0..<1, using: &self))
        return (-2 * log(one)).squareRoot() * cos(2 * .pi * other)
    }

    package mutating func throwsHeads() -> Bool { Bool.random(using: &self) }
}
