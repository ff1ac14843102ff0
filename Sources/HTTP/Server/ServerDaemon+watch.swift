import Glibc

/// What is done about connections from outside of their thread.
extension ServerDaemon {
    /// How often it checks for limits that were passed and clients that are gone. libmicrohttpd sees neither while a
    /// handler works, and to look at all of them costs one system call.
    private static let tick: Duration = .milliseconds(100)

    /// Looks after limits until the task is cancelled.
    func watch() async {
        var last = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.tick)
            let now = ContinuousClock.now
            inspect(quietLimit: server.options.idleLimit, elapsed: now - last)
            last = now
        }
    }

    func inspect(quietLimit: Duration, elapsed: Duration = .zero) {
        let now = ContinuousClock.now
        let all = connections.all
        for connection in all {
            if connection.isQuiet(for: quietLimit, at: now) { connection.hangUp() }
            guard let exchange = connection.exchange else { continue }
            if now >= exchange.deadline { exchange.expire() }
            if exchange.isReadTooSlowly(after: elapsed) { exchange.cut() }
        }
        // Glibc's module leaves POLLRDHUP out.
        var ends = all.map { pollfd(fd: $0.descriptor, events: 0x2000, revents: 0) }
        guard poll(&ends, nfds_t(ends.count), 0) > 0 else { return }
        for (connection, end) in zip(all, ends) where end.revents != 0 { clientIsGone(connection) }
    }

    /// Who says no more is taken for gone, but may still read an answer that is whole, and what is on its way from him
    /// still counts. libmicrohttpd misses the end where it comes together with the half of a head or of a body.
    private func clientIsGone(_ connection: ServerConnection) {
        guard let exchange = connection.exchange else { return connection.hangUpAtEnd() }
        if exchange.isSuspended {
            exchange.cut()
        } else if !exchange.isSending {
            connection.hangUpAtEnd()
        }
    }
}
