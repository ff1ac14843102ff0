import Glibc

/// SIGTERM, SIGINT and SIGHUP as events, not as interruptions.
///
/// A signal handler may do very little, so ours writes the signal's number into a pipe, and a thread reads it there.
/// Other ways fail on Linux. Under an `async` main, Swift parks the main thread in a `sigsuspend` that unblocks every
/// signal, so a signal that is blocked for `sigwait` or `signalfd` still kills the process. A dispatch source is
/// released under `-O` unless it is kept alive.
package enum Signals {
    /// Calls `first` at the first signal, and `second` at each later one, on a thread of its own. SIGHUP calls `hangUp`
    /// each time. Without `hangUp` it is a signal like the others, unless the process was started to ignore it
    /// (`nohup`).
    ///
    /// From now on SIGPIPE is ignored: a closed connection is an error of the `write`, and doesn't end the process.
    /// Call this only once in a process.
    package static func watch(
        first: @escaping @Sendable (Int32) -> Void, second: @escaping @Sendable (Int32) -> Void,
        hangUp: (@Sendable () -> Void)? = nil
    ) {
        precondition(mailbox == -1, "signals are watched once in a process")
        guard let (slot, mouth) = try? pipeEnds() else { preconditionFailure("can't create a pipe for signals") }
        mailbox = mouth
        startThread {
            first(next(in: slot, hangUp))
            while true { second(next(in: slot, hangUp)) }
        }
        handle(SIGTERM)
        handle(SIGINT)
        if hangUp != nil || !isIgnored(SIGHUP) { handle(SIGHUP) }
        signal(SIGPIPE, SIG_IGN)
    }

    private static func handle(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let before = errno
            var letter = UInt8(truncatingIfNeeded: number)
            write(mailbox, &letter, 1)
            errno = before
        }
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    /// Keeps SIGHUP from ending a process that is still starting and will call ``watch(first:second:hangUp:)`` later.
    package static func ignoreHangUp() {
        signal(SIGHUP, SIG_IGN)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func next(in slot: Int32, _ hangUp: (@Sendable () -> Void)?) -> Int32 {
        while true {
            var letter: UInt8 = 0
            while read(slot, &letter, 1) != 1 {}
            guard Int32(letter) == SIGHUP, let hangUp else { return Int32(letter) }
            hangUp()
        }
    }
}

/// The pipe to which the handler writes. It is set once, before there is a handler, and then only read. So `unsafe` is
/// safe here. A lock is impossible, because a signal handler must not take one.
private nonisolated(unsafe) var mailbox: Int32 = -1

extension ServiceGroup {
    /// Runs until all services have stopped. The first SIGTERM or SIGINT stops them in order. The second ends the
    /// process at once, with the usual exit status: 143 or 130. SIGHUP calls `hangUp`. Without `hangUp` it stops the
    /// services too, because their terminal is gone.
    package func runUntilSignalled(
        hangUp: (@Sendable () -> Void)? = nil, stopHard: @escaping @Sendable (Int32) -> Void = { _exit(128 + $0) }
    ) async throws {
        Signals.watch(
            first: { [self] signal in
                log.info(
                    "stopping: finishing running calls; a second signal stops at once",
                    ["signal": [SIGINT: "SIGINT", SIGHUP: "SIGHUP"][signal] ?? "SIGTERM"])
                stop()
            },
            second: stopHard, hangUp: hangUp)
        try await run(under: ServiceManager())
    }
}

/// Reports each SIGHUP, which means that a process should read its files again.
package final class HangUps: Sendable {
    private let listeners = Locked<[@Sendable () -> Void]>([])

    package init() {}

    package func listen(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    package func tell() {
        for listener in listeners.withLock({ $0 }) { listener() }
    }
}
