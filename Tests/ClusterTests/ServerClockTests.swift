import Testing

@testable import Cluster

/// The local clock in these tests: an origin, and times after it.
private let origin = ContinuousClock.now

private func ours(_ seconds: Double) -> ContinuousClock.Instant { origin + time(seconds) }

/// Rounded to microseconds, so that the sums below are exact.
private func time(_ seconds: Double) -> Duration { .microseconds(Int((seconds * 1_000_000).rounded())) }

struct ServerClockTests {
    /// The database's clock is 1000 s ahead of the local one.
    private func learnt(_ exchanges: (sent: Double, answered: Double, shown: Double)...) -> ServerClock {
        var clock = ServerClock(origin: origin)
        for exchange in exchanges {
            clock.learn(
                sent: ours(exchange.sent), answered: ours(exchange.answered), shown: time(exchange.shown))
        }
        return clock
    }

    @Test func `a moment's early bound comes from the reply, and its late bound from the request`() {
        let clock = learnt((sent: 1, answered: 1.004, shown: 1_001.003))
        #expect(clock.opening(time(1_002)) == ours(2.001))
        #expect(clock.latest(time(1_002)) == ours(1.997))
    }

    @Test func `the server's time lies between the bounds, whenever it was read in the round trip`() {
        for read in [1.0, 1.001, 1.002, 1.003, 1.004] {
            let clock = learnt((sent: 1, answered: 1.004, shown: 1_000 + read))
            #expect(clock.opening(time(1_005)) >= ours(5))
            #expect(clock.latest(time(1_005)) <= ours(5))
        }
    }

    @Test func `a slow reply after a quick one costs little precision`() {
        let clock = learnt((sent: 1, answered: 1.0002, shown: 1_001.0001), (sent: 2, answered: 2.05, shown: 1_002.04))
        let width = clock.latest(time(1_003)).duration(to: clock.opening(time(1_003)))
        #expect(width < .milliseconds(1.5))
        #expect(width > .milliseconds(0.2))
    }

    @Test func `bounds widen while no measurement is made`() {
        let clock = learnt((sent: 1, answered: 1.0002, shown: 1_001.0001), (sent: 101, answered: 101.2, shown: 1_101.1))
        let width = clock.latest(time(1_102)).duration(to: clock.opening(time(1_102)))
        #expect(width > .milliseconds(90))
    }

    @Test func `the clock of another server, or a clock that was set, is used at once`() {
        for shift in [-3_600.0, 0.3, 7] {
            let clock = learnt(
                (sent: 1, answered: 1.0002, shown: 1_001.0001), (sent: 2, answered: 2.002, shown: 1_002.001 + shift))
            #expect(clock.opening(time(1_003 + shift)) == ours(3.001))
            #expect(clock.latest(time(1_003 + shift)) == ours(2.999))
        }
    }

    @Test func `a local moment is shown in the middle of its bounds`() {
        let clock = learnt((sent: 1, answered: 1.004, shown: 1_001.003))
        #expect(clock.shown(at: ours(5)) == time(1_005.001))
    }

    /// Measures a clock over a connection with the round trip `trip`. Returns the number of measurements.
    private func asking(_ clock: inout ServerClock, trip: Double, at seconds: Double) -> Int {
        var count = 0
        clock.measure { _ in
            count += 1
            return ClockExchange(
                sent: ours(seconds), answered: ours(seconds + trip), shown: time(1_000 + seconds + trip / 2))
        }
        return count
    }

    @Test func `a long round trip needs one measurement, and narrow bounds need none`() {
        var clock = ServerClock(origin: origin)
        #expect(asking(&clock, trip: 0.05, at: -0.05) == 1)
        #expect(clock.uncertainty >= .milliseconds(50) && clock.uncertainty <= .milliseconds(51))
        #expect(asking(&clock, trip: 0.05, at: 0) == 0)
        clock.widen(to: .now + .seconds(20))
        #expect(clock.uncertainty > .milliseconds(60))
    }

    /// The clock was set by 4 s during the 11 s for which the server was frozen with our query.
    private func heldUp(epochAfter epoch: Int) -> (clock: ServerClock, asked: Int) {
        var clock = ServerClock(origin: origin)
        clock.learn(sent: ours(-13.001), answered: ours(-13), shown: time(986.9995), epoch: 1)
        var asked = 0
        clock.measure { _ in
            defer { asked += 1 }
            return asked == 0
                ? ClockExchange(sent: ours(-12), answered: ours(-1), shown: time(1_002.999), epoch: epoch)
                : ClockExchange(sent: ours(-0.5), answered: ours(-0.499), shown: time(1_003.5005), epoch: epoch)
        }
        return (clock, asked)
    }

    @Test func `a clock step seen in a delayed reply is measured again`() throws {
        let step = try #require(heldUp(epochAfter: 1).clock.step)
        #expect(step >= time(4) && step < time(4.02), "\(step)")
    }

    @Test func `bounds of a new epoch become as narrow as those of the last`() {
        let (clock, asked) = heldUp(epochAfter: 2)
        #expect(asked > 1)
        #expect(clock.step == nil)
        #expect(abs((clock.shown(at: ours(-0.5)) - time(1_003.5)) / .seconds(1)) < 0.01)
    }

    @Test func `until a clock step is announced, moments are shown by the old clock`() {
        var clock = ServerClock(origin: origin)
        clock.learn(sent: ours(1), answered: ours(1.001), shown: time(1_001.0005), epoch: 1)
        // The reply of a delayed claim.
        clock.learn(sent: ours(2), answered: ours(13), shown: time(1_017), epoch: nil)
        #expect(clock.step != nil)
        #expect(abs((clock.shown(at: ours(1.5)) - time(1_001.5)) / .seconds(1)) < 0.01)
        clock.learn(sent: ours(14), answered: ours(14.001), shown: time(1_018.0005), epoch: 2)
        #expect(clock.shown(at: ours(14)) == time(1_018))
    }

    @Test func `slots stay as far apart as the calls while the bounds change`() {
        var clock = learnt((sent: 1, answered: 1.05, shown: 1_001.04))
        clock.claimed()
        let before = clock.opening(time(1_010))
        // A quicker reply raises the lower bound by 8 ms, but slots come at most slightly sooner.
        clock.learn(sent: ours(2), answered: ours(2.042), shown: time(1_002.04))
        #expect(clock.isSteady)
        #expect(clock.opening(time(1_010)) >= before - .milliseconds(1))
        // A reply that is much quicker starts new bounds.
        clock.learn(sent: ours(3), answered: ours(3.001), shown: time(1_003.0005))
        #expect(!clock.isSteady)
        #expect(clock.uncertainty <= .milliseconds(2))
    }
}
