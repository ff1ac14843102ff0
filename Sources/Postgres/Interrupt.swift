import CLinux
import Glibc
import Synchronization

/// Ends the wait of a connection's thread for the server.
final class Interrupt: Sendable {
    /// An eventfd: readable from the first `fire` until `clear`.
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(descriptor >= 0, "no eventfd: \(String(cString: strerror(errno)))")
    }

    deinit {
        close(descriptor)
    }

    func fire() {
        eventfd_write(descriptor, 1)
    }

    func clear() {
        var value: eventfd_t = 0
        eventfd_read(descriptor, &value)
    }
}

/// The cancellation flag of the task that uses the connection now.
///
/// Each use has its own flag, so a late cancellation can't reach the next user.
final class Cancellation: Sendable {
    private let flag = Atomic(false)
    private let interrupt: Interrupt

    init(_ interrupt: Interrupt) {
        self.interrupt = interrupt
    }

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func cancel() {
        flag.store(true, ordering: .releasing)
        interrupt.fire()
    }
}
