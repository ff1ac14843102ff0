import CLinux
import Glibc

/// The service manager that started this process and waits for its notifications: systemd with `Type=notify`.
///
/// The protocol is that of `sd_notify(3)`: datagrams to the socket in `NOTIFY_SOCKET`.
package struct ServiceManager: Sendable {
    /// The manager kills the process if it gets no ``Notification/alive`` for this time.
    let watchdog: Duration?
    private let socket: Int32

    enum Notification: String {
        case ready = "READY=1\nSTATUS=Working"
        case stopping = "STOPPING=1\nSTATUS=Finishing running calls"
        case alive = "WATCHDOG=1"
    }

    /// Nil if no service manager waits for notifications. The socket stays open until the process ends.
    package init?(variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        guard let path = variable("NOTIFY_SOCKET") else { return nil }
        socket = connect_datagrams(path)
        guard socket >= 0 else { return nil }
        // The watchdog may be meant for another process, whose environment this one inherited.
        let isMine = variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
        watchdog = isMine ? variable("WATCHDOG_USEC").flatMap { Int64($0) }.map { .microseconds($0) } : nil
    }

    /// A lost notification is harmless, except for ``Notification/ready``, without which the manager stops the process.
    func send(_ notification: Notification) {
        let text = notification.rawValue
        _ = text.withCString { Glibc.send(socket, $0, text.utf8.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Sends that the process is alive, until the task is cancelled. It runs on Swift's threads as all work does, so
    /// the manager also notices if tasks no longer run.
    func feedWatchdog() async {
        guard let watchdog else { return }
        repeat { send(.alive) } while (try? await Task.sleep(for: watchdog / 3)) != nil
    }
}
