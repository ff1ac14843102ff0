/// Decides when a repeated message may be logged again.
struct Reminder {
    let pause: Duration
    private var saidAt: ContinuousClock.Instant?

    init(every pause: Duration) { self.pause = pause }

    /// Whether to log it now; remembers that if so.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        if let saidAt, saidAt.duration(to: now) < pause { return false }
        saidAt = now
        return true
    }
}
