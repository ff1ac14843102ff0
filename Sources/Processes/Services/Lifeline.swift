import Glibc

/// A child's side of ``ChildProcess/Input/lifeline``: a service that ends when the parent process has ended.
///
/// In a group its end stops the other services in order, as a signal would. Use it only in a process that was started
/// with a lifeline. In a process that a person started, a Ctrl-D or a missing terminal would look like a lost parent.
package struct Lifeline: Service {
    package let name = "lifeline"
    private let descriptor: Int32

    /// `descriptor` is the reading end of the pipe, by default standard input.
    package init(descriptor: Int32 = STDIN_FILENO) {
        self.descriptor = descriptor
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        whenParentIsGone { end.finish() }
        ready()
        for await _ in stream {}
    }

    /// Calls `act` when the parent has closed its end or died, on a thread of its own.
    func whenParentIsGone(_ act: @escaping @Sendable () -> Void) {
        startThread {
            var byte: UInt8 = 0
            var count = read(descriptor, &byte, 1)
            while count > 0 || count == -1 && errno == EINTR { count = read(descriptor, &byte, 1) }
            act()
        }
    }
}
