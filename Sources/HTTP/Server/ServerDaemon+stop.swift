import CMicrohttpd
import Dispatch
import Glibc

/// The orderly shutdown of a server.
extension ServerDaemon {
    /// How long a handler may take to end after a stop has cancelled it. A slower one is left behind: its task goes on,
    /// and its response is dropped.
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
        // This call waits for libmicrohttpd's threads, so it must not run on one of Swift's threads.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                MHD_stop_daemon(self.raw)
                continuation.resume()
            }
        }
    }
}
