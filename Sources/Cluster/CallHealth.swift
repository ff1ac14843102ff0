import Queue

/// Decides when a lane's calls began to fail, and when they succeeded again, for the log of one process.
///
/// A provider that fails now and then would fill the log, so a failure within a minute of the last one that was logged
/// is not logged.
struct CallHealth {
    enum Change: Hashable {
        case fails(reason: String)
        /// The calls succeed again, after this many failed ones.
        case recovered(failed: Int)
    }

    private var failed = 0
    private var isLogged = false
    private var loggedAt: ContinuousClock.Instant?

    static let pause: Duration = .seconds(60)

    mutating func change(after outcome: JobOutcome, at now: ContinuousClock.Instant) -> Change? {
        if let reason = outcome.reason {
            failed += 1
            guard !isLogged, loggedAt.map({ now - $0 >= Self.pause }) ?? true else { return nil }
            (isLogged, loggedAt) = (true, now)
            return .fails(reason: reason)
        }
        guard outcome.inLog.hasAnswer else { return nil }
        defer { (failed, isLogged) = (0, false) }
        return isLogged ? .recovered(failed: failed) : nil
    }
}
