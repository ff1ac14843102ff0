import CLibpq

/// Something another session said with `NOTIFY`.
package struct Notification: Sendable, Hashable {
    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}

/// What a listener hears.
package enum Hearing: Sendable, Hashable {
    /// We listen from now on, for the first time or again: what was said before was not heard.
    case listening
    case heard(Notification)
}

extension Database {
    /// Listens on a connection of its own, outside the pool, and connects again whenever it is lost.
    ///
    /// Notifications sent while the server was out of reach are gone: look at the tables on every
    /// ``Hearing/listening``, and now and then besides. Ends when the task that iterates does.
    package func listen(on channels: [String]) -> AsyncStream<Hearing> {
        AsyncStream { stream in
            let task = Task { [url, options] in
                var backoff = Backoff()
                while !Task.isCancelled {
                    do {
                        let connection = try await Connection.open(url, options)
                        backoff = Backoff()
                        try await connection.hear(channels) { stream.yield($0) }
                    } catch {
                        // A cancellation ends the loop above; anything else is a server that comes back.
                        try? await Task.sleep(for: backoff.next())
                    }
                }
                stream.finish()
            }
            stream.onTermination = { _ in task.cancel() }
        }
    }
}

extension Connection {
    /// Hands on what is said on `channels` until the connection breaks or the task is cancelled.
    fileprivate nonisolated func hear(
        _ channels: [String], _ hearing: @escaping @Sendable (Hearing) -> Void
    ) async throws {
        let outcome = await lend(first: false) { connection in
            for channel in channels { try connection.query("LISTEN \(identifier: channel)") }
            hearing(.listening)
            while true {
                for notification in connection.takeNotifications() { hearing(.heard(notification)) }
                try connection.waitForInput()
            }
        }
        if case .done(let result, _) = outcome { try result.get() }
    }

    private func takeNotifications() -> [Notification] {
        var notifications: [Notification] = []
        while let pointer = PQnotifies(session) {
            defer { PQfreemem(pointer) }
            notifications.append(
                Notification(
                    channel: String(cString: pointer.pointee.relname),
                    payload: String(cString: pointer.pointee.extra)))
        }
        return notifications
    }
}
