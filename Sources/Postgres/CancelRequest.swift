import CLibpq
import Glibc

/// Sends a cancel request for what a session runs, on a thread of its own. libpq blocks until the server has taken the
/// request, which may be forever if the server hangs.
final class CancelRequest: Sendable {
    private let done = Interrupt()
    /// Safe because only the thread of the request uses it, and frees it.
    private nonisolated(unsafe) let cancel: OpaquePointer

    private init(_ cancel: OpaquePointer) {
        self.cancel = cancel
    }

    /// Returns whether the server took the request in time. If it returns false, close the session: the request may
    /// still arrive and would cancel a later statement.
    static func send(for session: OpaquePointer?, within seconds: Int32) -> Bool {
        guard let cancel = PQgetCancel(session) else { return true }
        let request = CancelRequest(cancel)
        var thread = pthread_t()
        let own = Unmanaged.passRetained(request)
        let failure = pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<CancelRequest>.fromOpaque($0).takeRetainedValue() }?.send()
                return nil
            }, own.toOpaque())
        guard failure == 0 else {
            own.release()
            PQfreeCancel(cancel)
            return false
        }
        pthread_detach(thread)
        return request.done.isFired(within: seconds)
    }

    private func send() {
        // If the server has just ended, libpq's request raises SIGPIPE, which would end the process.
        var signals = sigset_t()
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // If a cancel can't be delivered, the wait that follows fails. The message of libpq adds nothing.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            _ = PQcancel(cancel, message.baseAddress, 256)
        }
        PQfreeCancel(cancel)
        done.fire()
    }
}

extension Interrupt {
    fileprivate func isFired(within seconds: Int32) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = (deadline - .now) / .milliseconds(1)
            let count = Glibc.poll(&file, 1, Int32(max(0, left.rounded(.up))))
            if count > 0 { return true }
            // Not a reason to give up: a signal interrupted the wait.
            if count == 0 { return false }
        }
    }
}
