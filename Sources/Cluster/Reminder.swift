/// Says when it is time to say the same thing again.
struct Reminder {
    let pause: Duration
    private var saidAt: ContinuousClock.Instant?

    init(every pause: Duration) { self.pause = pause }

    /// Whether it is to be said at this moment; if so, that is remembered.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        if let saidAt, saidAt.duration(to: now) < pause { return false }
        saidAt = now
        return true
    }
}
