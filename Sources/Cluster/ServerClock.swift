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

    /// The database's time since 1970, minus our time since `origin`, is between these.
    private(set) var lower: Duration = .zero
    private(set) var upper: Duration = .zero

    /// The bound that converts slots. It follows `lower`, but rises more slowly: calls of two slots are as far apart as
    /// the slots only if the same bound converts both.
    private var steady: Duration = .zero

    /// When the bounds were last updated. From then on they widen, because clocks drift and are adjusted.
    private(set) var drawnAt: Instant?

    /// The narrowest width that the bounds can reach: about the shortest round trip. Nil before the first reading.
    private var reach: Duration?

    /// True if all slots since the last claim that brought jobs were converted with the same `steady`.
    private(set) var isSteady = false

    /// The epoch of the database's clock to which the bounds belong.
    private(set) var epoch: Int?

    /// The bounds before a step of the clock that only this process knows of.
    private var boundsBefore: (lower: Duration, upper: Duration)?

    /// The step of the clock that only this process knows of. All processes must be notified.
    ///
    /// The largest possible step forwards: then no limit is broken. The narrower the present bounds are, the less this
    /// exceeds the real step.
    var step: Duration? { boundsBefore.map { upper - $0.lower } }

    /// True if the bounds may be wrong, so that the next use must measure first.
    private var isDoubtful = false

    /// A smaller step is not announced, because that would cost more than a call.
    private static let smallestStep: Duration = .milliseconds(5)

    /// Bounds this narrow are good enough everywhere: the grace has room for them.
    private static let enough: Duration = .milliseconds(1)

    init(origin: Instant = .now) {
        self.origin = origin
    }

    /// Narrows the bounds by a reading that was requested and received at these moments, while the database's clock
    /// showed `shown`. A clock outside the bounds was set, unless its epoch shows that this is known.
    mutating func learn(sent: Instant, answered: Instant, shown: Duration, epoch: Int? = nil) {
        isDoubtful = false
        if let epoch, epoch != self.epoch {
            let reach = reach
            self = ServerClock(origin: origin)
            (self.epoch, self.reach) = (epoch, reach)
        }
        let fresh = (lower: shown - origin.duration(to: answered), upper: shown - origin.duration(to: sent))
        // A delayed reply gives wide bounds. Measure again until they are as narrow as before.
        reach = min(reach ?? fresh.upper - fresh.lower, fresh.upper - fresh.lower)
        let elapsed = drawnAt?.duration(to: answered) ?? .zero
        widen(to: answered)
        // If the bounds don't overlap, a clock was set, or another server took over: start again.
        let isAnew = drawnAt == nil || max(lower, fresh.lower) > min(upper, fresh.upper)
        if isAnew, drawnAt != nil, self.epoch != nil {
            let apart = max(fresh.lower - upper, lower - fresh.upper)
            if apart > Self.smallestStep { boundsBefore = boundsBefore ?? (lower, upper) }
        }
        (lower, upper) = isAnew ? fresh : (max(lower, fresh.lower), min(upper, fresh.upper))
        drawnAt = answered
        // Following a rising bound slowly costs nothing. A jump costs a gap, but is better than staying far behind.
        steady = min(lower, steady + elapsed * ClockDrift.share)
        if isAnew || lower - steady > max(Self.enough / 4, (upper - lower) / 4) {
            steady = lower
            isSteady = false
        }
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
        let elapsed = origin.duration(to: instant)
        return ExpectedClock(
            epoch: epoch, earliest: elapsed + lower - Self.smallestStep,
            latest: elapsed + upper + max(usual * 2, .milliseconds(250)))
    }

    /// Calls `exchange` to read the clock as long as that narrows the bounds, but at most `most` times.
    ///
    /// The bounds can't become narrower than a round trip. So one reading is enough if a round trip is long, and none
    /// is needed if the bounds have hardly widened since the last.
    mutating func measure(
        _ most: Int = 5, _ exchange: () throws -> (sent: Instant, answered: Instant, shown: Duration, epoch: Int?)
    )
        rethrows
    {
        var spent = Duration.zero
        for asked in 0..<most {
            let isCheap = asked > 0 && spent < .milliseconds(10)
            guard isWorthMeasuring(at: .now, isCheap: isCheap) else { return }
            let exchange = try exchange()
            learn(
                sent: exchange.sent, answered: exchange.answered, shown: exchange.shown, epoch: exchange.epoch)
            spent += exchange.sent.duration(to: exchange.answered)
        }
        // The round trip has become longer.
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
    func opening(_ moment: Duration) -> Instant { origin.advanced(by: moment - steady) }

    /// Returns the last instant at which the database's clock has surely not passed `moment`.
    func latest(_ moment: Duration) -> Instant { origin.advanced(by: moment - upper) }

    /// Returns the database's clock at one of our instants, as well as we know. Until a step of the clock is announced,
    /// everything counts by the clock before the step, which may be known far better.
    func shown(at instant: Instant) -> Duration {
        let bounds = boundsBefore ?? (lower, upper)
        return (bounds.lower + bounds.upper) / 2 + origin.duration(to: instant)
    }
}
