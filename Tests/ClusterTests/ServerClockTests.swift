import Testing

@testable import Cluster

/// Our clock in these tests: an origin, and moments after it.
private let origin = ContinuousClock.now

private func ours(_ seconds: Double) -> ContinuousClock.Instant { origin + time(seconds) }

/// Whole microseconds, for the sums below to be exact.
private func time(_ seconds: Double) -> Duration { .microseconds(Int((seconds * 1_000_000).rounded())) }

struct ServerClockTests {
    /// The database's clock shows 1000 s more than ours counts from the origin.
    private func learnt(_ exchanges: (sent: Double, answered: Double, shown: Double)...) -> ServerClock {
        var clock = ServerClock(origin: origin)
        for exchange in exchanges {
            clock.learn(
                sent: ours(exchange.sent), answered: ours(exchange.answered), shown: time(exchange.shown))
        }
        return clock
    }

    @Test func `a moment is counted from the answer for its start, and from the question for its end`() {
        let clock = learnt((sent: 1, answered: 1.004, shown: 1_001.003))
        #expect(clock.earliest(time(1_002)) == ours(2.001))
        #expect(clock.latest(time(1_002)) == ours(1.997))
    }

    @Test func `what was shown surely lies between the bounds, whenever in between it was read`() {
        for read in [1.0, 1.001, 1.002, 1.003, 1.004] {
            let clock = learnt((sent: 1, answered: 1.004, shown: 1_000 + read))
            #expect(clock.earliest(time(1_005)) >= ours(5))
            #expect(clock.latest(time(1_005)) <= ours(5))
        }
    }

    @Test func `a slow answer after a quick one costs little precision`() {
        let clock = learnt((sent: 1, answered: 1.0002, shown: 1_001.0001), (sent: 2, answered: 2.05, shown: 1_002.04))
        let width = clock.latest(time(1_003)).duration(to: clock.earliest(time(1_003)))
        #expect(width < .milliseconds(1.5))
        #expect(width > .milliseconds(0.2))
    }

    @Test func `bounds widen while nobody asks`() {
        let clock = learnt((sent: 1, answered: 1.0002, shown: 1_001.0001), (sent: 101, answered: 101.2, shown: 1_101.1))
        let width = clock.latest(time(1_102)).duration(to: clock.earliest(time(1_102)))
        #expect(width > .milliseconds(90))
    }

    @Test func `a clock that was set, or another server's, is believed at once`() {
        for shift in [-3_600.0, 0.3, 7] {
            let clock = learnt(
                (sent: 1, answered: 1.0002, shown: 1_001.0001), (sent: 2, answered: 2.002, shown: 1_002.001 + shift))
            #expect(clock.earliest(time(1_003 + shift)) == ours(3.001))
            #expect(clock.latest(time(1_003 + shift)) == ours(2.999))
        }
    }

    @Test func `a moment of ours is shown in the middle of what it may be`() {
        let clock = learnt((sent: 1, answered: 1.004, shown: 1_001.003))
        #expect(clock.shown(at: ours(5)) == time(1_005.001))
    }
}
