import Queue

/// The difference between the database's clock and ours.
///
/// No clocks of machines are compared. Each query of the database's clock gives two bounds of the difference: its
/// reading was true at some time between the request and the reply. The bounds of several readings narrow each other,
/// so one slow reply, such as a commit behind a busy disk, costs no precision.
///
/// Our side is a clock that continues while the process is stopped and the machine sleeps.
struct ServerClock: Sendable {
    typealias Instant = ContinuousClock.Instant

    let origin: Instant

    /// The seconds that the database's clock gains in each second of ours, as announced for the epoch: above zero only
    /// while that clock is slewed ahead.
    private(set) var rate = 0.0

    /// The database's time since 1970, minus ``elapsed(at:)``, is between these.
    private(set) var lower: Duration = .zero
    private(set) var upper: Duration = .zero

    /// The bound that converts slots. It follows `lower`, but rises more slowly: calls of two slots are as far apart as
    /// the slots only if the same bound converts both. It is never ahead of ``line``: slots were charged by that.
    private var steady: Duration = .zero

    /// When the bounds were last updated. From then on they widen, because clocks drift and are adjusted.
    private(set) var drawnAt: Instant?

    /// The narrowest width that the bounds can reach: about the shortest round trip. Nil before the first reading.
    private var reach: Duration?

    /// True if all slots since the last claim that brought jobs were converted with the same `steady`.
    private(set) var isSteady = false

    /// The epoch of the database's clock to which the bounds belong.
    private(set) var epoch: Int?

    /// The clock without the changes that no process has announced yet. Nil before the first reading in an epoch.
    private var line: ClockLine?

    /// The step of the clock that only this process knows of: it was set, or it is slewed. All processes must be
    /// notified.
    var step: Duration? { line?.step(to: lower, upper) }

    /// True if ``step`` is large: waits and slots count by another clock.
    var isSet: Bool { step.map { max($0, .zero - $0) >= ClockStep.smallest } ?? false }

    /// The rate to announce with ``step``.
    var newRate: Double {
        guard !isSet, let measured, let gain = measured.gain(to: point, otherThan: rate) else { return rate }
        return min(max(0, gain), ClockDrift.most)
    }

    /// The rate as this process measures it, in all epochs since the clock was set.
    private var measured: ClockRate?

    /// True if the bounds may be wrong, so that the next use must measure first.
    private var isDoubtful = false

    /// A claim expects the clock with this tolerance.
    private static let tolerance: Duration = .milliseconds(5)

    /// Bounds this narrow are good enough everywhere: the grace has room for them.
    private static let enough: Duration = .milliseconds(1)

    init(origin: Instant = .now) {
        self.origin = origin
    }

    /// Narrows the bounds by a reading that was requested and received at these moments, while the database's clock
    /// showed `shown`. A clock outside the bounds was set, unless its epoch shows that this is known.
    ///
    /// `steps` are the changes of the clock since the epoch that is known. `isOld` is true for a reading of another
    /// process. Since then the clock may have drifted.
    mutating func learn(
        sent: Instant, answered: Instant, shown: Duration, epoch: Int? = nil, rate: Double = 0,
        steps: [ClockStep] = [], isOld: Bool = false
    ) {
        isDoubtful = false
        if let epoch, epoch != self.epoch {
            let reach = reach
            let line = epoch - (self.epoch ?? epoch) == steps.count ? line(after: steps) : nil
            let measured = line == nil ? nil : measured
            self = ServerClock(origin: origin)
            (self.epoch, self.rate, self.reach, self.line, self.measured) = (epoch, rate, reach, line, measured)
        }
        let fresh = (lower: shown - elapsed(at: answered), upper: shown - elapsed(at: sent))
        // A delayed reply gives wide bounds. Measure again until they are as narrow as before.
        reach = min(reach ?? fresh.upper - fresh.lower, fresh.upper - fresh.lower)
        let pause = drawnAt?.duration(to: answered) ?? .zero
        widen(to: answered)
        // If the bounds don't overlap, a clock was set, or another server took over: start again.
        let hasBounds = drawnAt != nil
        let isAnew = !hasBounds || max(lower, fresh.lower) > min(upper, fresh.upper)
        if isAnew, hasBounds, line == nil, self.epoch != nil { line = ClockLine(lower, upper) }
        (lower, upper) = isAnew ? fresh : (max(lower, fresh.lower), min(upper, fresh.upper))
        drawnAt = answered
        if self.epoch != nil, !isOld {
            var following = line ?? ClockLine(lower, upper)
            // After a slew ahead, the end of the slew must be announced, so that all of the limit can be used again.
            let mostBack: Duration =
                if following.isDoubtful {
                    ClockStep.smallest
                } else if !hasBounds {
                    ClockLine.mostBehind
                } else if rate > 0 {
                    pause * ClockDrift.share
                } else {
                    min(ClockLine.mostBehind + pause * ClockDrift.most, ClockStep.smallest)
                }
            following.add(lower, upper, mostBack: mostBack)
            line = following
            var measuring = measured ?? ClockRate(point)
            measuring.add(point)
            measured = measuring
        }
        // Following a rising bound slowly costs nothing. A jump costs a gap, but is better than staying far behind.
        let least = min(lower, line?.upper ?? lower)
        steady = min(least, steady + pause * ClockDrift.share)
        if isAnew || least - steady > max(Self.enough / 4, (upper - lower) / 4) {
            steady = least
            isSteady = false
        }
    }

    /// The line after slews that other processes announced. Nil if the clock was set, because the line is then fresh.
    private func line(after steps: [ClockStep]) -> ClockLine? {
        var (line, rate) = (line, rate)
        for step in steps {
            guard let known = line, !step.isSet, step.size != .zero else { return nil }
            (line, rate) = (ClockLine(known, at: rate, after: step), step.rate)
        }
        return line
    }

    /// The last reading, as the difference to a clock that runs like ours.
    private var point: ClockRate.Point {
        let time = origin.duration(to: drawnAt ?? origin)
        return ClockRate.Point(at: time, lower: lower + time * rate, upper: upper + time * rate)
    }

    /// Our time since the origin, at the announced rate of the database's clock.
    private func elapsed(at instant: Instant) -> Duration {
        let elapsed = origin.duration(to: instant)
        return rate == 0 ? elapsed : elapsed + elapsed * rate
    }

    /// The earliest time that the database's clock can show at this instant, unless it drifts.
    func lowest(at instant: Instant) -> Duration { lower + elapsed(at: instant) }

    /// The instant at which the database's clock is ahead of the origin by this much.
    private func instant(after elapsed: Duration) -> Instant {
        origin.advanced(by: rate == 0 ? elapsed : elapsed / (1 + rate))
    }

    /// Widens the bounds by the drift since the last update.
    mutating func widen(to instant: Instant) {
        guard let drawnAt, drawnAt < instant else { return }
        let widening = drawnAt.duration(to: instant) * ClockDrift.share
        (lower, upper) = (lower - widening, upper + widening)
        steady = min(steady, lower)
        self.drawnAt = instant
    }

    /// Notes that slots were claimed, which the present bound converts.
    mutating func claimed() { isSteady = true }

    /// Makes the next use measure first, because the bounds may be wrong: a claim found the clock outside them, or time
    /// has passed.
    mutating func doubt() { isDoubtful = true }

    /// Returns the range of the database's clock when a statement arrives that is sent now. If it takes much longer
    /// than `usual`, it is refused, because the clock may have been set forwards.
    func expected(at instant: Instant, usual: Duration) -> ExpectedClock? {
        guard let epoch else { return nil }
        return ExpectedClock(
            epoch: epoch, earliest: lowest(at: instant) - Self.tolerance,
            latest: upper + elapsed(at: instant) + max(usual * 2, .milliseconds(250)))
    }

    /// Calls `exchange` to read the clock as long as that narrows the bounds, but at most `most` times.
    ///
    /// The bounds can't become narrower than a round trip. So one reading is enough if a round trip is long, and none
    /// is needed if the bounds have hardly widened since the last.
    mutating func measure(
        _ most: Int = 5, _ exchange: (_ known: Int?) throws -> ClockExchange
    ) rethrows {
        var spent = Duration.zero
        for asked in 0..<most {
            let isCheap = asked > 0 && spent < .milliseconds(10)
            guard isWorthMeasuring(at: .now, isCheap: isCheap) else { return }
            let exchange = try exchange(epoch)
            learn(
                sent: exchange.sent, answered: exchange.answered, shown: exchange.shown, epoch: exchange.epoch,
                rate: exchange.rate, steps: exchange.steps)
            spent += exchange.sent.duration(to: exchange.answered)
        }
        // Even now the bounds are wider than before: accept this width.
        if isWorthMeasuring(at: .now, isCheap: false) { reach = upper - lower }
    }

    private func isWorthMeasuring(at instant: Instant, isCheap: Bool) -> Bool {
        guard !isDoubtful, let width = width(at: instant) else { return true }
        return width >= Self.enough && (isCheap || width > (reach ?? .zero) * 1.25)
    }

    /// Returns the width of the bounds at this instant; nil before the first reading.
    func width(at instant: Instant) -> Duration? {
        drawnAt.map { upper - lower + $0.duration(to: instant) * (2 * ClockDrift.share) }
    }

    /// How much longer than the lane's grace a slot must be open, so that the grace remains between ``opening(_:)`` and
    /// ``latest(_:)``. In whole milliseconds; zero if it is less than one, because the grace has room for that.
    var uncertainty: Duration {
        let width = upper - steady
        return width <= Self.enough ? .zero : .milliseconds((width / .milliseconds(1)).rounded(.up))
    }

    /// Returns when the slot that begins at `moment` opens: the database's clock has surely reached it.
    func opening(_ moment: Duration) -> Instant { instant(after: moment - steady) }

    /// Returns the last instant at which the database's clock has surely not passed `moment`.
    func latest(_ moment: Duration) -> Instant { instant(after: moment - upper) }

    /// Returns the database's clock at one of our instants, as well as we know. Until a change of the clock is announced,
    /// everything counts by the clock before the change, which may be known far better.
    func shown(at instant: Instant) -> Duration {
        (line.map { $0.lower + $0.upper } ?? lower + upper) / 2 + elapsed(at: instant)
    }
}

/// A reading of the database's clock with our times of sending and receiving, and the clock's changes since the known
/// epoch.
struct ClockExchange {
    let sent: ServerClock.Instant
    let answered: ServerClock.Instant
    let shown: Duration
    var epoch: Int?
    var rate = 0.0
    var steps: [ClockStep] = []
}
