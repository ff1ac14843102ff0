/// Decides when a repeated message may be logged again.
struct Reminder {
    let pause: Duration
    private var saidAt: ContinuousClock.Instant?

    init(every pause: Duration) { self.pause = pause }

    /// Returns true if the message should be logged now, and remembers the time.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        if let saidAt, saidAt.duration(to: now) < pause { return false }
        saidAt = now
        return true
    }
}
