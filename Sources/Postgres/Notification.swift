import CLibpq

/// A `NOTIFY` of another session.
package struct Notification: Sendable, Hashable {
    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }
}

/// An event of a listener.
package enum Hearing: Sendable, Hashable {
    /// Sent after each LISTEN, the first and after every reconnect. Earlier notifications may be lost.
    case listening
    case heard(Notification)
    /// The connection leads through a pooler, so no notification arrives.
    case deaf
}

extension Database {
    /// Listens on a connection of its own, outside the pool, and reconnects whenever it is lost. The connection leads to
    /// the direct URL if there is one.
    ///
    /// Notifications that are sent while the connection is down are lost. So look at the tables on every
    /// ``Hearing/listening``, and from time to time as well. The stream ends when the task that iterates over it ends.
    package func listen(on channels: [String]) -> AsyncStream<Hearing> {
        AsyncStream { stream in
            let task = Task { [url, options] in
                var backoff = Backoff()
                while !Task.isCancelled {
                    do {
                        let connection = try await Connection.open(options.directURL ?? url, options)
                        if await connection.isPooled, options.directURL == nil {
                            stream.yield(.deaf)
                            break
                        }
                        backoff = Backoff()
                        try await connection.hear(channels) { stream.yield($0) }
                    } catch {
                        // A cancellation ends the loop above; after any other error the server is tried again.
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
    /// Passes on the notifications of `channels` until the connection breaks or the task is cancelled.
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

    func takeNotifications() -> [Notification] {
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
