import Glibc

/// Watches connections from outside of libmicrohttpd's thread.
extension ServerDaemon {
    /// How often expired limits and disconnected clients are checked. libmicrohttpd notices neither while a handler
    /// works. Checking all connections costs one system call.
    private static let tick: Duration = .milliseconds(100)

    /// Checks limits until the task is cancelled.
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
        // POLLRDHUP, which is missing in Glibc's module.
        var ends = all.map { pollfd(fd: $0.descriptor, events: 0x2000, revents: 0) }
        guard poll(&ends, nfds_t(ends.count), 0) > 0 else { return }
        for (connection, end) in zip(all, ends) where end.revents != 0 { clientIsGone(connection) }
    }

    /// Called when a client has ended its side of the connection. The client may still read a complete response, and
    /// bytes that are already received still count. libmicrohttpd misses the end if it arrives together with part of a
    /// head or of a body.
    private func clientIsGone(_ connection: ServerConnection) {
        guard let exchange = connection.exchange else { return connection.hangUpAtEnd() }
        if exchange.isSuspended {
            exchange.cut()
        } else if !exchange.isSending {
            connection.hangUpAtEnd()
        }
    }
}
