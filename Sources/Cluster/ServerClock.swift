/// Where the database's clock stands beside ours.
///
/// Nobody compares clocks of machines here. But each question to the database shows how far the two are apart,
/// between two bounds: what its clock showed was true some time between the sending and the answer. Bounds of several
/// questions tighten each other, so one slow answer, a commit behind a busy disk, costs no precision.
///
/// Our side is a clock that goes on while the process is stopped and the machine sleeps.
struct ServerClock: Sendable {
    typealias Instant = ContinuousClock.Instant

    private let origin: Instant

    /// The database's time since 1970 less our time since `origin` lies between these.
    private var lower: Duration = .zero
    private var upper: Duration = .zero

    /// When the bounds were last drawn. They widen from there on, for clocks drift and are steered.
    private var drawnAt: Instant?

    /// No clock that is being steered runs faster or slower than this.
    private static let drift = 0.0005

    init(origin: Instant = .now) {
        self.origin = origin
    }

    /// Learns from a question that was sent and answered at these moments, while the database's clock showed `shown`.
    mutating func learn(sent: Instant, answered: Instant, shown: Duration) {
        let fresh = (lower: shown - origin.duration(to: answered), upper: shown - origin.duration(to: sent))
        if let drawnAt {
            let widening = drawnAt.duration(to: answered) * Self.drift
            lower = max(lower - widening, fresh.lower)
            upper = min(upper + widening, fresh.upper)
        }
        // Bounds that don't meet mean that a clock was set, or that another server took over: start anew.
        if drawnAt == nil || lower > upper { (lower, upper) = fresh }
        drawnAt = answered
    }

    /// How far apart the bounds are by now; nil before the first lesson.
    func width(at instant: Instant) -> Duration? {
        drawnAt.map { upper - lower + $0.duration(to: instant) * (2 * Self.drift) }
    }

    /// The first moment at which the database's clock has surely reached `moment`.
    func earliest(_ moment: Duration) -> Instant { origin.advanced(by: moment - lower) }

    /// The last moment at which it has surely not passed `moment`.
    func latest(_ moment: Duration) -> Instant { origin.advanced(by: moment - upper) }

    /// What the database's clock shows at one of our moments, as well as we know.
    func shown(at instant: Instant) -> Duration { (lower + upper) / 2 + origin.duration(to: instant) }
}
