import Glibc

/// SIGTERM, SIGINT and SIGHUP as events, not as interruptions.
///
/// A handler may do next to nothing, so ours writes the signal's number into a pipe, and a thread reads it there. The
/// other ways don't hold on Linux: under an `async` main, Swift parks the main thread in a `sigsuspend` that unblocks
/// every signal, so that one blocked for `sigwait` or `signalfd` kills the process all the same; and a dispatch source
/// dies under `-O` unless it is kept alive.
package enum Signals {
    /// Calls `first` at the first signal, and `second` at each that follows, on a thread that is there for nothing
    /// else. SIGHUP calls `hangUp` each time; without that, it is a signal like the others, unless the process was started to
    /// ignore it (`nohup`).
    ///
    /// From here on SIGPIPE is ignored, too: a peer that hung up is an error of the `write`, not the end of the
    /// process. Once in the life of a process.
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

    /// Keeps SIGHUP from ending a process that is still starting, and whose ``watch(first:second:hangUp:)`` will heed it.
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

/// Where the handler writes. Set once, before there is a handler, and only read from then on: that makes the `unsafe`
/// safe, and a handler may use nothing that takes a lock.
private nonisolated(unsafe) var mailbox: Int32 = -1

extension ServiceGroup {
    /// Runs until all services have stopped. The first SIGTERM or SIGINT stops them in good order, the second stops
    /// the process where it stands, with the status a shell expects: 143 or 130. SIGHUP calls `hangUp`; without that, it stops the services
    /// as well, for their terminal is gone.
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
        try await run()
    }
}
