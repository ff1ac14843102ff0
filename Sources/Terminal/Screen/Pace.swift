/// The recent speed of some work. The last 15 seconds predict the next ones better than the whole time does.
struct Pace: Sendable {
    private struct Sample {
        let time: ContinuousClock.Instant
        let done: Int
    }

    /// One sample a second, the oldest first.
    private var samples: [Sample]

    init(from done: Int, at start: ContinuousClock.Instant) {
        samples = [Sample(time: start, done: done)]
    }

    mutating func record(_ done: Int, at now: ContinuousClock.Instant) {
        guard let last = samples.last, now - last.time >= .seconds(1) else { return }
        samples.append(Sample(time: now, done: done))
        if samples.count > 16 { samples.removeFirst() }
    }

    /// Nil until something was done.
    func perSecond(_ done: Int, at now: ContinuousClock.Instant) -> Double? {
        guard let oldest = samples.first, done > oldest.done, now > oldest.time else { return nil }
        return Double(done - oldest.done) / ((now - oldest.time) / .seconds(1))
    }
}
