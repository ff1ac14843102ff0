import Queue

/// How far the database's clock and ours are apart.
///
/// Clocks of machines are not compared here. But each question to the database shows how far the two are apart,
/// between two bounds: what its clock showed was true some time between the sending and the answer. Bounds of several
/// questions tighten each other, so one slow answer, a commit behind a busy disk, costs no precision.
///
/// Our side is a clock that goes on while the process is stopped and the machine sleeps.
struct ServerClock: Sendable {
    typealias Instant = ContinuousClock.Instant

    let origin: Instant

    /// The database's time since 1970 less our time since `origin` lies between these.
    private(set) var lower: Duration = .zero
    private(set) var upper: Duration = .zero

    /// What slots are counted by: `lower`, but for a while below it when that rises. Calls of two slots are as far
    /// apart as the slots only as long as both are counted by the same bound.
    private var steady: Duration = .zero

    /// When the bounds were last drawn. They widen from there on, for clocks drift and are steered.
    private(set) var drawnAt: Instant?

    /// How far apart bounds can be brought: about the shortest round trip. Nil before the first.
    private var reach: Duration?

    /// Slots have been counted by `steady` since the last claim that brought any.
    private(set) var isSteady = false

    /// The epoch of the database's clock to which the bounds belong.
    private(set) var epoch: Int?

    /// The bounds before the clock was set, as far as only we know that.
    private var boundsBefore: (lower: Duration, upper: Duration)?

    /// By how much the clock was set since, as far as only we know. All processes have to be notified.
    ///
    /// As far forwards as may be: then no limit is broken. The better the clock is known by now, the less that is too far.
    var step: Duration? { boundsBefore.map { upper - $0.lower } }

    /// What was asked last makes it doubtful that the bounds hold.
    private var isDoubtful = false

    /// A smaller step is not announced: it is worth less than a call.
    private static let smallestStep: Duration = .milliseconds(5)

    /// No clock that is being steered runs faster or slower than this.
    private static let drift = 0.0005

    /// Bounds as close as this are good enough anywhere: the grace has room for it.
    private static let enough: Duration = .milliseconds(1)

    init(origin: Instant = .now) {
        self.origin = origin
    }

    /// Narrows the bounds by a reading that was sent and answered at these moments, while the database's clock showed
    /// `shown`. One that is not where it must be was set, unless its epoch says that this is known.
    mutating func learn(sent: Instant, answered: Instant, shown: Duration, epoch: Int? = nil) {
        isDoubtful = false
        if let epoch, epoch != self.epoch {
            let reach = reach
            self = ServerClock(origin: origin)
            (self.epoch, self.reach) = (epoch, reach)
        }
        let fresh = (lower: shown - origin.duration(to: answered), upper: shown - origin.duration(to: sent))
        // An answer may have been held up: bounds that are drawn anew by it are to be brought as close as the others were.
        reach = min(reach ?? fresh.upper - fresh.lower, fresh.upper - fresh.lower)
        let elapsed = drawnAt?.duration(to: answered) ?? .zero
        widen(to: answered)
        // Bounds that don't meet mean that a clock was set, or that another server took over: start anew.
        let isAnew = drawnAt == nil || max(lower, fresh.lower) > min(upper, fresh.upper)
        if isAnew, drawnAt != nil, self.epoch != nil {
            let apart = max(fresh.lower - upper, lower - fresh.upper)
            if apart > Self.smallestStep { boundsBefore = boundsBefore ?? (lower, upper) }
        }
        (lower, upper) = isAnew ? fresh : (max(lower, fresh.lower), min(upper, fresh.upper))
        drawnAt = answered
        // Creeping after a bound that rises costs nothing. To jump is to begin anew, but better than to lag far behind.
        steady = min(lower, steady + elapsed * Self.drift)
        if isAnew || lower - steady > max(Self.enough / 4, (upper - lower) / 4) {
            steady = lower
            isSteady = false
        }
    }

    /// Takes what time has done to the bounds into account.
    mutating func widen(to instant: Instant) {
        guard let drawnAt, drawnAt < instant else { return }
        let widening = drawnAt.duration(to: instant) * Self.drift
        (lower, upper) = (lower - widening, upper + widening)
        steady = min(steady, lower)
        self.drawnAt = instant
    }

    /// Notes that slots were claimed, and are counted by the bound that holds now.
    mutating func claimed() { isSteady = true }

    /// The database found its clock to be elsewhere: ask before anything is counted by these bounds.
    mutating func doubt() { isDoubtful = true }

    /// Where the database's clock must be when a question arrives that is sent now. One that takes much longer than
    /// `usual` is not believed, for the clock may have been set forwards.
    func expected(at instant: Instant, usual: Duration) -> ExpectedClock? {
        guard let epoch else { return nil }
        let elapsed = origin.duration(to: instant)
        return ExpectedClock(
            epoch: epoch, earliest: elapsed + lower - Self.smallestStep,
            latest: elapsed + upper + max(usual * 2, .milliseconds(250)))
    }

    /// Asks `exchange` what time it is for as long as that brings the bounds closer, but no more than `most` times.
    ///
    /// The bounds can't be brought closer than a round trip takes. So one question is enough where a round trip is
    /// long, and none where the bounds have not widened by much since.
    mutating func ask(
        _ most: Int = 5, _ exchange: () throws -> (sent: Instant, answered: Instant, shown: Duration, epoch: Int?)
    )
        rethrows
    {
        var spent = Duration.zero
        for asked in 0..<most {
            let isCheap = asked > 0 && spent < .milliseconds(10)
            guard isWorthAsking(at: .now, isCheap: isCheap) else { return }
            let exchange = try exchange()
            learn(
                sent: exchange.sent, answered: exchange.answered, shown: exchange.shown, epoch: exchange.epoch)
            spent += exchange.sent.duration(to: exchange.answered)
        }
        // The way has become longer.
        if isWorthAsking(at: .now, isCheap: false) { reach = upper - lower }
    }

    private func isWorthAsking(at instant: Instant, isCheap: Bool) -> Bool {
        guard !isDoubtful, let width = width(at: instant) else { return true }
        return width >= Self.enough && (isCheap || width > (reach ?? .zero) * 1.25)
    }

    /// How far apart the bounds are by now; nil before the first lesson.
    func width(at instant: Instant) -> Duration? {
        drawnAt.map { upper - lower + $0.duration(to: instant) * (2 * Self.drift) }
    }

    /// How much longer than the lane's grace a slot has to be open, for the grace to be left between ``opening(_:)``
    /// and ``latest(_:)``. In whole milliseconds, and none where it is less than one: then the grace itself has room
    /// for it.
    var uncertainty: Duration {
        let width = upper - steady
        return width <= Self.enough ? .zero : .milliseconds((width / .milliseconds(1)).rounded(.up))
    }

    /// When the slot opens that begins at `moment`: the database's clock has surely reached it.
    func opening(_ moment: Duration) -> Instant { origin.advanced(by: moment - steady) }

    /// The last moment at which it has surely not passed `moment`.
    func latest(_ moment: Duration) -> Instant { origin.advanced(by: moment - upper) }

    /// What the database's clock shows at one of our moments, as well as we know. Until it is announced that the clock was
    /// set, everything counts by the clock of before, which may be known far better.
    func shown(at instant: Instant) -> Duration {
        let bounds = boundsBefore ?? (lower, upper)
        return (bounds.lower + bounds.upper) / 2 + origin.duration(to: instant)
    }
}
