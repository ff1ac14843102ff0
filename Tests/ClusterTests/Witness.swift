import Glibc
import HTTPTesting
import Processes

/// A geocoder that finds every house and records the times of calls.
final class Witness: Sendable {
    typealias Instant = ContinuousClock.Instant

    private let seen = Locked<[(at: Instant, wall: Double, connections: Int)]>([])
    private let server = Locked<ScriptedServer?>(nil)
    private let faults: @Sendable (Int) -> ScriptedAnswer?

    /// `faults` may replace the reply, by the number of the call from 1 on. It may block.
    init(_ faults: @escaping @Sendable (Int) -> ScriptedAnswer? = { _ in nil }) {
        self.faults = faults
    }

    /// Connects the witness to its server.
    func stand(at server: ScriptedServer) { self.server.withLock { $0 = server } }

    /// The number of connections that the server had accepted at its first call.
    var connectionsAtFirst: Int? { seen.withLock { $0.first?.connections } }
    var moments: [Instant] { seen.withLock { $0.map(\.at).sorted() } }
    /// In seconds since 1970.
    var wallMoments: [Double] { seen.withLock { $0.map(\.wall).sorted() } }

    func answer(to request: ScriptedRequest) -> ScriptedAnswer {
        let (now, wall) = (Instant.now, Self.wallTime())
        let connections = server.withLock { $0?.connections } ?? 0
        let number = seen.withLock { seen in
            seen.append((now, wall, connections))
            return seen.count
        }
        return faults(number) ?? .json(house(request))
    }

    private static func wallTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func house(_ request: ScriptedRequest) -> String {
        let street = (request.query["street"] ?? "0 None").split(separator: " ", maxSplits: 1)
        return #"""
            [{"lat": "39.5", "lon": "-119.8", "category": "place", "type": "house", "addresstype": "place",
              "place_rank": 30, "display_name": "", "address": {"house_number": "\#(street[0])", "road": "\#(street[1])",
              "city": "Reno", "country": "United States", "country_code": "us"}}]
            """#
    }

    /// By how many calls the worst window exceeds `burst + rate * t`. A call may be seen `slack` too late or too early.
    func excess(rate: Double, burst: Double, slack: Duration) -> Double {
        let seconds: [Double] = moments.map { moments[0].duration(to: $0) / .seconds(1) }
        var worst = -burst
        for (i, first) in seconds.enumerated() {
            for (count, at) in seconds[i...].enumerated() {
                worst = max(worst, Double(count + 1) - burst - rate * (at - first + slack / .seconds(1)))
            }
        }
        return worst
    }
}
