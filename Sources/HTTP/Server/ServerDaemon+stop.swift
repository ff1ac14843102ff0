import CMicrohttpd
import Dispatch
import Glibc

/// The end of a server, in good order.
extension ServerDaemon {
    /// How long a handler may take to end after a stop has cut it off. One that takes longer is left behind: its task goes
    /// on, and its answer is dropped.
    private static let cancelLimit: Duration = .seconds(1)

    func stop() async {
        connections.beginStop()
        let listener = MHD_quiesce_daemon(raw)
        if listener >= 0 { close(listener) }
        let end = ContinuousClock.now + server.options.stopLimit
        while !connections.isEmpty || connections.hasHandlers {
            let isLate = ContinuousClock.now >= end
            if connections.isEmpty, ContinuousClock.now >= end + Self.cancelLimit { break }
            for exchange in connections.all.compactMap(\.exchange) {
                if isLate { exchange.cut() } else { exchange.endIfEndless() }
            }
            inspect(quietLimit: .zero)
            try? await Task.sleep(for: .milliseconds(5))
        }
        // Waits for the threads of libmicrohttpd, and so must not happen on one of Swift's.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                MHD_stop_daemon(self.raw)
                continuation.resume()
            }
        }
    }
}
