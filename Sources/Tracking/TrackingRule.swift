#if canImport(Darwin)
    import Foundation
#else
    import Glibc
#endif

/// Decides which fixes belong to one place, and which can't be true.
///
/// Apps and the cluster use the same rule.
public struct TrackingRule: Hashable, Sendable {
    /// A fix within this many metres of a location extends its wait time. The larger accuracy of the two is added.
    public var radius: Double
    /// The highest speed that is believed, in metres per second. An airliner flies at 300.
    public var topSpeed: Double
    /// In seconds. A stay ends after a longer time without a fix.
    public var longestGap: Double
    /// When tracking was turned off, in seconds since 1970. A stay ends at each of these moments.
    public var stops: [Double]

    /// This many fixes elsewhere, one after another, don't end a stay if the next one is back at its place …
    static let mostStrays = 2
    /// … within five minutes of the first fix elsewhere, in seconds.
    static let longestStray = 300.0
    /// The most metres that poor accuracy adds.
    static let widest = 500.0
    /// After this many seconds any place is believed: otherwise one wrong fix would make all right fixes after it
    /// ignored.
    static let patience = 300.0
    /// The first moment of the year 2000.
    static let earliest = 946_684_800.0
    /// How far a phone's clock may be ahead, in seconds.
    package static let lead = 300.0

    public init(radius: Double = 50, topSpeed: Double = 350, longestGap: Double = 43_200, stops: [Double] = []) {
        self.radius = radius
        self.topSpeed = topSpeed
        self.longestGap = longestGap
        self.stops = stops
    }

    /// Returns the problem of a fix by itself; nil if there is none. `now` is in seconds since 1970.
    public func problem(of fix: Fix, now: Double) -> FixProblem? {
        guard (-90...90).contains(fix.lat), (-180...180).contains(fix.lng) else { return .notOnEarth }
        if abs(fix.lat) < 0.000_01, abs(fix.lng) < 0.000_01 { return .nullIsland }
        if let accuracy = fix.accuracy, !(accuracy >= 0 && accuracy.isFinite) { return .invalidAccuracy }
        guard fix.timestamp >= Self.earliest else { return .tooOld }
        guard fix.timestamp <= now + Self.lead else { return .inTheFuture }
        guard fix.waitTime >= 0, fix.end <= now + Self.lead else { return .invalidWaitTime }
        return nil
    }

    /// True if a fix is at the place where another one began a location.
    func isNear(_ fix: Fix, _ start: Fix) -> Bool {
        let poorest = max(fix.accuracy ?? 0, start.accuracy ?? 0)
        return Self.distance(start, fix) <= radius + min(poorest, Self.widest)
    }

    /// True if the speed from one fix to a later one is impossible.
    func isTooFast(_ fix: Fix, since last: Fix) -> Bool {
        let time = fix.timestamp - last.end
        if time >= Self.patience { return false }
        let doubt = min((fix.accuracy ?? 0) + (last.accuracy ?? 0), Self.widest)
        return Self.distance(last, fix) - doubt - radius > topSpeed * max(time, 0)
    }

    /// True if a stay can't continue from one fix to the next: the gap is too long, or tracking was turned off in
    /// between.
    func isInterrupted(from last: Fix, to fix: Fix) -> Bool {
        fix.timestamp - last.end > longestGap || stops.contains { last.timestamp <= $0 && $0 < fix.timestamp }
    }

    /// Returns metres on a sphere. At these distances the result is precise to half a percent.
    static func distance(_ start: Fix, _ end: Fix) -> Double {
        if start.lat == end.lat, start.lng == end.lng { return 0 }
        let degree = 0.017_453_292_519_943_295
        let north = sin((end.lat - start.lat) * degree / 2)
        let east = sin((end.lng - start.lng) * degree / 2)
        let square = north * north + cos(start.lat * degree) * cos(end.lat * degree) * east * east
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}
