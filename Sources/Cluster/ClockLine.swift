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

    /// True if the clock may be far behind the line until the next precise reading: after a step back, or if the line continues
    /// one that began in the middle of an epoch, when this process first read the clock. What the clock had gained before
    /// is then in the line and also in the step of another process.
    private(set) var isDoubtful = false
    private var isFresh = true

    init(_ lower: Duration, _ upper: Duration) {
        (self.lower, self.upper) = (lower, upper)
    }

    /// Continues the line of the epoch before, which ended with `step`. All processes do the same, also the one that
    /// announced the step. A process that began a line of its own would move it once more with another's next step.
    ///
    /// A step back is not followed: each process moves its line back to the clock as it reads it (``add(_:_:mostBack:)``).
    init(_ line: ClockLine, at rate: Double, after step: ClockStep) {
        func moved(_ bound: Duration) -> Duration {
            let elapsed = (step.noticedAt - max(step.size, .zero) - bound) / (1 + rate)
            return step.noticedAt - elapsed - elapsed * step.rate
        }
        (lower, upper) = (moved(line.lower), moved(line.upper))
        (isFresh, isDoubtful) = (false, line.isFresh || line.isDoubtful || step.size < .zero)
    }

    /// A clock that is further ahead has a change that must be announced. Limits and the audit are as exact as this.
    private static let mostAhead: Duration = .microseconds(500)

    /// Behind the line no limit is exceeded, so less precision is enough.
    static let mostBehind: Duration = .milliseconds(5)

    /// Adds a reading. The line keeps its place if the clock has got ahead of it, because slots were charged by the
    /// line. It moves back with a slow clock by up to `mostBack`: a slow clock exceeds no limit.
    mutating func add(_ lower: Duration, _ upper: Duration, mostBack: Duration) {
        if upper < self.lower {
            if self.lower - upper <= mostBack { (self.lower, self.upper) = (lower, upper) }
        } else if lower <= self.upper {
            (self.lower, self.upper) = (max(lower, self.lower), min(upper, self.upper))
        }
        // A slow reply does not show where the clock is.
        if upper - lower <= Self.mostBehind { isDoubtful = false }
    }

    /// Returns by how much a clock with these bounds has left the line; nil if it may be on the line. It is the largest
    /// possible step forwards, but for wide bounds only a little more than the clock has surely gained: the next reading
    /// shows the rest, and until then slots are converted by the line.
    func step(to lower: Duration, _ upper: Duration) -> Duration? {
        if self.lower - upper > Self.mostBehind { return upper - self.lower }
        let gain = lower - self.upper
        return gain > Self.mostAhead ? min(upper - self.lower, gain + Self.mostAhead * 2) : nil
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
    /// Readings of the last seconds, the oldest first.
    private var recent: [Point] = []

    private static let distance: Duration = .milliseconds(50)
    private static let most = 40

    init(_ first: Point) { self.first = first }

    mutating func add(_ point: Point) {
        if let last = recent.last, point.at - last.at < Self.distance { return }
        // The clock has surely gained otherwise since a recent reading: its rate has changed.
        let whole = first.slope(to: point)
        let changed = recent.last {
            let part = $0.slope(to: point)
            return abs(part.gain - whole.gain) > part.error + whole.error + ClockDrift.share / 5
        }
        if let changed { first = changed }
        if recent.count == Self.most { recent.removeFirst() }
        recent.append(point)
    }

    /// Returns the gain up to `last`. Nil if it is not known better than `rate`, or if the clock was set: a step shows
    /// between two readings, and a rate also between others. The readings may be seconds apart.
    func gain(to last: Point, otherThan rate: Double) -> Double? {
        let (gain, error) = first.slope(to: last)
        func differs(_ from: Point, _ to: Point) -> Bool {
            let part = from.slope(to: to)
            return abs(part.gain - rate) > part.error && (part.gain > rate) == (gain > rate)
        }
        let isKnown = error <= max(ClockDrift.share, abs(gain) / 4) || abs(gain - rate) > error
        guard isKnown, abs(gain) <= ClockDrift.most else { return nil }
        if gain <= rate { return gain }
        return recent.contains { $0.at > first.at && differs(first, $0) && differs($0, last) } ? gain : nil
    }
}
