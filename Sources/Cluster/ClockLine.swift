import Queue

/// The database's clock as it would be if it ran at the announced rate since the epoch began.
///
/// These bounds do not widen with time: each reading narrows them. A clock that leaves them runs at another rate, or was
/// set. So the slowest drift is found too: a reading is compared with the first ones, not only with the last.
///
/// All values are differences between the database's clock and ``ServerClock/elapsed(at:)``.
struct ClockLine: Sendable {
    private(set) var lower: Duration
    private(set) var upper: Duration

    init(_ lower: Duration, _ upper: Duration) {
        (self.lower, self.upper) = (lower, upper)
    }

    /// Continues the line of the epoch before, which ended with `step`. Otherwise a process that hears of the step later
    /// would begin with what the clock has gained since then, which nobody has charged.
    ///
    /// The step is the largest possible one, so the clock may be behind the new line.
    init(_ line: ClockLine, at rate: Double, after step: ClockStep) {
        func moved(_ bound: Duration) -> Duration {
            let elapsed = (step.noticedAt - step.size - bound) / (1 + rate)
            return step.noticedAt - elapsed - elapsed * step.rate
        }
        let doubt = max(Self.mostAhead, (line.upper - line.lower) * 2)
        (lower, upper) = (moved(line.lower) - doubt, moved(line.upper))
    }

    /// A clock that is further ahead has a change that must be announced. Limits and the audit are as exact as this.
    private static let mostAhead: Duration = .milliseconds(1)

    /// Behind the line no limit is exceeded, so less precision is enough.
    static let mostBehind: Duration = .milliseconds(5)

    /// Adds a reading. The line keeps its place if the clock has got ahead of it, because slots were charged by the
    /// line. It moves back with a slow clock by up to `mostBack`: a slow clock exceeds no limit.
    mutating func add(_ lower: Duration, _ upper: Duration, mostBack: Duration) {
        if upper < self.lower {
            if self.lower - upper <= mostBack { self = Self(lower, upper) }
        } else if lower <= self.upper {
            self = Self(max(lower, self.lower), min(upper, self.upper))
        }
    }

    /// Returns by how much a clock with these bounds has left the line; nil if it may be on the line. It is the largest
    /// possible step forwards: then no limit is broken.
    func step(to lower: Duration, _ upper: Duration) -> Duration? {
        lower - self.upper > Self.mostAhead || self.lower - upper > Self.mostBehind ? upper - self.lower : nil
    }
}

/// Measures how much the database's clock gains in each second of ours.
struct ClockRate: Sendable {
    /// A reading: our time since the origin, and the bounds of the difference to the database's clock.
    struct Point {
        let at: Duration
        let lower: Duration
        let upper: Duration

        /// The gain per second from here to a later reading, and its largest error.
        fileprivate func slope(to other: Point) -> (gain: Double, error: Double) {
            let time = (other.at - at) / .seconds(1)
            guard time > 0 else { return (0, .infinity) }
            let gain = (other.lower + other.upper - lower - upper) / .seconds(2)
            return (gain / time, ((other.upper - other.lower + upper - lower) / .seconds(2)) / time)
        }
    }

    /// The first reading at this rate.
    private var first: Point
    /// The last reading before the present epoch. The clock has left its line since then.
    private var recent: Point

    init(_ first: Point) {
        (self.first, recent) = (first, first)
    }

    /// Notes that a new epoch began after this reading.
    mutating func beginEpoch(after last: Point) { recent = last }

    /// Returns the gain up to `last`. Nil if it is not known well enough, or if the clock was set.
    ///
    /// A long time gives a precise gain. But if the gain of the present epoch is another one, the rate has changed.
    mutating func gain(to last: Point) -> Double? {
        let (new, old) = (recent.slope(to: last), first.slope(to: last))
        let isChanged = abs(new.gain - old.gain) > new.error + old.error + ClockDrift.share / 5
        if isChanged { first = recent }
        let gain = isChanged ? new : old
        let isKnown = gain.error <= max(ClockDrift.share, abs(gain.gain) / 4) && abs(gain.gain) <= ClockDrift.most
        return isKnown ? gain.gain : nil
    }
}
