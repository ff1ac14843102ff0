import Cluster
import HTTP
import JSON
import Processes
import Terminal

/// The HTTP server of a worker: its health and its metrics. It serves no data of an account, and needs no token.
struct WorkerServer: Service {
    let name = "worker server"
    let address: ListenAddress
    let vitals: ProcessVitals
    let app: Application

    func run(ready: @escaping @Sendable () -> Void) async throws {
        var options = HTTPServer.Options()
        options.address = address.host
        options.port = address.port
        // Few clients use it.
        options.connections = 32
        options.connectionsPerClient = 16
        options.largestBody = 1 << 10
        do {
            try await HTTPServer(options, router: router).run { port in
                let place = ListenAddress(host: address.host, port: port)
                app.log.info("serving health and metrics", ["address": "\(place)"])
                ready()
            }
        } catch {
            throw UsageError("can't listen on WAYPOST_WORKER_LISTEN=\(address): \(error)")
        }
    }

    private var router: Router {
        var router = Router()
        router.add(.get, "/livez", isAlwaysAnswered: true) { _ in Self.health([]) }
        router.add(.get, "/readyz", isAlwaysAnswered: true) { [vitals] _ in Self.health(vitals.reasonsNotReady) }
        router.add(.get, "/metrics") { [app] request in
            let response = ServerResponse(
                status: 200, headers: ["Content-Type": Metrics.contentType, "Cache-Control": "no-store"],
                body: .bytes(Array(app.metrics.text.utf8)))
            return request.acceptsGzip && response.gainsFromGzip ? response.gzipped() : response
        }
        return router
    }

    private static func health(_ reasons: [String]) -> ServerResponse {
        let body = JSONWriter.bytes { json in
            json.object { json in
                json.member("status", reasons.isEmpty ? "ok" : "not ready")
                json.list("reasons", reasons) { $0.value($1) }
            }
        }
        return ServerResponse(
            status: reasons.isEmpty ? 200 : 503,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: .bytes(body))
    }
}
