import Glibc

/// Runs `body` on a thread of its own, which may block for any time.
///
/// Swift's cooperative pool has one thread for each core. A task that blocks there on a child process, a signal or a
/// pipe delays all others.
package func tryToStartThread(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let context = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, context.toOpaque())
    guard result == 0 else {
        context.release()
        throw .noThread(result)
    }
    pthread_detach(thread)
}

/// The same for a thread without which the process is of no use: without it, the process says why and exits with 1.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) { try tryToStartThread(body) } catch { exitWithoutThread(error) }
}

package func exitWithoutThread(_ error: SystemError) -> Never {
    let text = Array("waypost: \(error)\n".utf8)
    write(STDERR_FILENO, text, text.count)
    // Handlers of the exit would run at the same time as the other threads.
    _exit(1)
}
