import Glibc

/// A child's side of ``ChildProcess/Input/lifeline``: a service that ends when the parent is gone.
///
/// In a group it makes the others finish what they do, as a signal would. Only for a process that was started with a
/// lifeline: one that a person started would take its Ctrl-D, or an absent terminal, for a lost parent.
package struct Lifeline: Service {
    package let name = "lifeline"
    private let descriptor: Int32

    /// `descriptor` is the pipe's reading end: standard input.
    package init(descriptor: Int32 = STDIN_FILENO) {
        self.descriptor = descriptor
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        whenParentIsGone { end.finish() }
        ready()
        for await _ in stream {}
    }

    /// Calls `act` when the parent has closed its end or died, on a thread that waits for nothing else.
    package func whenParentIsGone(_ act: @escaping @Sendable () -> Void) {
        startThread {
            var byte: UInt8 = 0
            var count = read(descriptor, &byte, 1)
            while count > 0 || count == -1 && errno == EINTR { count = read(descriptor, &byte, 1) }
            act()
        }
    }
}
