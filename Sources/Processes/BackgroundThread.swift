import Glibc

/// Runs `body` on a thread of its own, which may block for any time.
///
/// Swift's cooperative pool has one thread for each core. A task that blocks there on a child process, a signal or a
/// pipe delays all others.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, context)
    precondition(result == 0, "can't start a thread: \(SystemError(code: result)); look at the limits of this user")
    pthread_detach(thread)
}
