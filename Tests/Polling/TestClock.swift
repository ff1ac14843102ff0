import Processes

/// A clock that moves only when told to.
package final class TestClock: Sendable {
    private let instant = Locked(ContinuousClock.now)

    package var now: ContinuousClock.Instant { instant.withLock { $0 } }

    package init() {}

    package func advance(by duration: Duration) {
        instant.withLock { $0 += duration }
    }
}
