import Glibc
import Processes

/// The time in which the request of one call may be sent, and when it was sent.
///
/// A limit is about what the provider sees. So it is enforced at the last place before the bytes are sent: after all
/// the waiting, after connecting and TLS. The departure is passed with the call to that place and checked there. It
/// permits one request only: a redirect or a repetition would be another call.
package final class Departure: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// No request is sent earlier.
    package let opens: Instant
    /// No request is sent later; nil if calls are not limited.
    package let closes: Instant?

    private let state = Locked(State())

    private struct State {
        /// The last check that permitted the request, directly before the bytes were sent.
        var lookedAt: Instant?
        var leftAt: Instant?
        var isRefused = false
        var isRepeated = false
        var isCancelled = false
        var isRecalled = false
    }

    /// The departure of the call that the current task makes.
    @TaskLocal package static var current: Departure?

    package init(opens: Instant = .now, closes: Instant? = nil) {
        self.opens = opens
        self.closes = closes
    }

    /// When the request was sent; nil if it was not.
    package var leftAt: Instant? { state.withLock { $0.leftAt } }

    /// The slot had ended, so the request was not sent.
    package var isVoid: Bool { state.withLock { $0.isRefused && $0.leftAt == nil } }

    /// The request was sent, and something tried to send it a second time.
    var isRepeated: Bool { state.withLock { $0.isRepeated } }

    /// Permits a call that does not use HTTP, at this moment. Returns false if the slot has ended.
    package func leave() -> Bool {
        let now = Instant.now
        guard mayLeave(at: now) else { return false }
        left(at: now)
        return true
    }

    /// Forbids sending the request from now on. Returns the time of sending if it was sent, or may be on its way.
    package func cancel() -> Instant? {
        state.withLock { state in
            state.isCancelled = true
            return state.leftAt ?? (state.isRefused ? nil : state.lookedAt)
        }
    }

    /// Forbids sending the request, unless a check has already permitted it.
    package func recall() {
        state.withLock { $0.isRecalled = $0.lookedAt == nil }
    }

    /// The call was recalled before it was sent.
    package var isRecalled: Bool { state.withLock { $0.isRecalled } }

    /// Checked directly before the bytes are sent.
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

    /// Called directly after the first bytes were sent. `sending` is the kernel's time since then, and may be too short
    /// by `lag`.
    ///
    /// The check, the write and this call lie within microseconds, unless the process was stopped. If it was stopped
    /// once, the bytes were sent either directly after the check or just now. The kernel's time decides which of the
    /// two is nearer. If both are possible, it is the check: a write wakes the receiver, which may take our core. If the
    /// kernel's time fits neither, the process was stopped twice, and that time is taken.
    func left(at now: Instant, since sending: Duration = .zero, lag: Duration = .zero) {
        state.withLock { state in
            // A CONNECT to a proxy is written before the check, so it does not count.
            guard state.leftAt == nil, let lookedAt = state.lookedAt else { return }
            let nearest = (sending + lag) * 2 > lookedAt.duration(to: now) ? lookedAt : now
            let told = max(lookedAt, now - sending)
            let distance = max(told.duration(to: nearest), nearest.duration(to: told))
            state.leftAt = distance > max(KernelTime.tick, lag) + .milliseconds(1) ? told : nearest
        }
    }

    /// The time since the check that permitted the request.
    func sinceLook(_ now: Instant) -> Duration { state.withLock { $0.lookedAt?.duration(to: now) } ?? .zero }
}
