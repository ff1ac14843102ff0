import Glibc
import Operations

/// When the request of one call may leave, and when it did.
///
/// A limit is what the provider sees, so the place to hold it is the last one before the bytes leave: after all the
/// waiting, after connecting and TLS. A departure goes with the call to that place, and is asked there. It says yes
/// once: a second request of the same call, be it a redirect or a repetition, would be a call of its own.
package final class Departure: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// Nothing leaves earlier.
    package let opens: Instant
    /// Nothing leaves later; nil where nothing limits the calls.
    package let closes: Instant?

    private let state = Locked(State())

    private struct State {
        /// The last look at the clock that let it go, right before the bytes left.
        var lookedAt: Instant?
        var leftAt: Instant?
        var isRefused = false
        var isRepeated = false
        var isCancelled = false
        var isRecalled = false
    }

    /// That of the call which the task is making.
    @TaskLocal package static var current: Departure?

    package init(opens: Instant = .now, closes: Instant? = nil) {
        self.opens = opens
        self.closes = closes
    }

    /// The moment in which the request left; nil when it did not.
    package var leftAt: Instant? { state.withLock { $0.leftAt } }

    /// It was too late, and nothing has left.
    package var isVoid: Bool { state.withLock { $0.isRefused && $0.leftAt == nil } }

    /// The request left, and was about to leave once more.
    package var isRepeated: Bool { state.withLock { $0.isRepeated } }

    /// Permits a call that is made otherwise than by HTTP, here and now. False: it is too late.
    package func leave() -> Bool {
        let now = Instant.now
        guard mayLeave(at: now) else { return false }
        left(at: now)
        return true
    }

    /// Nothing leaves any more. Returns when it left, or may just be leaving.
    package func cancel() -> Instant? {
        state.withLock { state in
            state.isCancelled = true
            return state.leftAt ?? (state.isRefused ? nil : state.lookedAt)
        }
    }

    /// Nothing leaves any more, if it has not yet.
    package func recall() {
        state.withLock { $0.isRecalled = $0.lookedAt == nil }
    }

    /// It was recalled in time.
    package var isRecalled: Bool { state.withLock { $0.isRecalled } }

    /// Asked right before the bytes leave.
    func mayLeave(at now: Instant) -> Bool {
        state.withLock { state in
            if state.leftAt != nil {
                state.isRepeated = true
                return false
            }
            if state.isCancelled || state.isRecalled || closes.map({ now > $0 }) ?? false {
                state.isRefused = true
                return false
            }
            state.lookedAt = now
            return true
        }
    }

    /// Told right after the first bytes left. The kernel says how long ago that was, to a tick of its clock.
    ///
    /// The look, the write and this lie within microseconds, but for a stop. So they left right after the look, if the
    /// stop came then, or else right now: the kernel need only say which is nearer. Where it says neither, there were two
    /// stops, and nobody knows better.
    func left(at now: Instant, since sending: Duration = .zero) {
        state.withLock { state in
            // A proxy is asked for a way before anything may leave.
            guard state.leftAt == nil, let lookedAt = state.lookedAt else { return }
            let nearest = sending * 2 > lookedAt.duration(to: now) ? lookedAt : now
            let told = max(lookedAt, now - sending)
            let isOff = max(told.duration(to: nearest), nearest.duration(to: told)) > Self.kernelTick + .milliseconds(1)
            state.leftAt = isOff ? told : nearest
        }
    }

    /// How far apart the moments are that the kernel tells apart.
    static let kernelTick: Duration = {
        var tick = timespec()
        guard clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 else { return .milliseconds(10) }
        return .nanoseconds(tick.tv_nsec)
    }()

    /// How long ago the look was that let it go.
    func sinceLook(_ now: Instant) -> Duration { state.withLock { $0.lookedAt?.duration(to: now) } ?? .zero }
}
