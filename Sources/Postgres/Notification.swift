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

extension Connection {
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
