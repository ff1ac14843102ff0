import JSON
package import Processes

/// Sends the spans of this process to a collector, with OTLP over HTTP in JSON:
/// https://opentelemetry.io/docs/specs/otlp/
///
/// It must be the first of the services, so that it stops last. Then it has a short time to send the remaining spans.
package struct SpanExporter: Service {
    package struct Options: Sendable {
        /// The full URL: `http://collector:4318/v1/traces`.
        package var endpoint: HTTPURL
        package var headers: HTTPHeaders = [:]
        /// The attributes of the process, `service.name` first.
        package var resource: [(name: String, value: String)] = []
        package var version = ""
        /// How long a response may take.
        package var limit: Duration = .seconds(10)
        package var certificateAuthorities: String?
        /// How long spans are collected before they are sent.
        package var delay: Duration = .seconds(1)
        /// How long the exporter may delay a stop.
        package var stopLimit: Duration = .seconds(2)
        /// The first wait after a failure; it doubles. After four tries the spans are dropped.
        package var firstRetry: Duration = .seconds(1)

        package init(endpoint: HTTPURL) {
            self.endpoint = endpoint
        }
    }

    package let name = "span exporter"
    let tracer: Tracer
    let options: Options
    let log: Log
    private let http: HTTPClient
    private let standing = Locked(Standing())

    struct Standing {
        var isFailing = false
        var isStopping = false
    }

    package init(_ tracer: Tracer, _ options: Options, log: Log) {
        self.tracer = tracer
        self.options = options
        self.log = log
        var client = HTTPClient.Options(userAgent: "Waypost/\(options.version)")
        client.totalLimit = options.limit
        client.connectLimit = min(options.limit, .seconds(5))
        client.largestBody = 1 << 20
        client.certificateAuthorities = options.certificateAuthorities
        http = HTTPClient(client)
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        // A separate task, because a cancelled task could not send anything.
        let work = Task { await send() }
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            let isFailing = standing.withLock { standing in
                standing.isStopping = true
                return standing.isFailing
            }
            tracer.close()
            // If the collector is unreachable, a stop doesn't wait for it.
            if isFailing { return work.cancel() }
            Task {
                try? await Task.sleep(for: options.stopLimit)
                work.cancel()
            }
        }
        await http.close()
    }

    private func send() async {
        for await call in tracer.calls {
            if call == .first {
                // Waits for more spans. If the list gets full or is closed meanwhile, that makes a call at once.
                Task {
                    try? await Task.sleep(for: options.delay)
                    tracer.callAgain()
                }
                continue
            }
            await sendAll()
        }
        await sendAll()
        // Drops the spans that could not be sent in time.
        while case let rest = tracer.drain(), !rest.isEmpty { tracer.drop(rest.count) }
    }

    private func sendAll() async {
        while !Task.isCancelled, case let batch = tracer.drain(), !batch.isEmpty { await send(batch) }
    }

    /// Retries until the spans are sent, or a retry is useless.
    private func send(_ batch: [Span]) async {
        let headers = options.headers.setting("Content-Type", to: "application/json")
        let body = OTLP(resource: options.resource, version: options.version).request(batch)
        var pause = options.firstRetry
        for number in 1... {
            let outcome = await attempt(HTTPRequest(.post, options.endpoint, headers: headers, body: body))
            switch outcome {
            case .taken(let refused):
                note(isFailing: false)
                if refused > 0 { tracer.drop(min(refused, batch.count)) }
                return
            case .refused(let reason):
                note(isFailing: true, reason)
                return tracer.drop(batch.count)
            case .later(let reason, let wait):
                note(isFailing: true, reason)
                guard number < 4, !standing.withLock(\.isStopping) else { return tracer.drop(batch.count) }
                // A random wait, so that many processes don't retry at the same time.
                let wait = wait ?? pause * Double.random(in: 0.75...1.25)
                guard (try? await Task.sleep(for: min(wait, .seconds(300)))) != nil else {
                    return tracer.drop(batch.count)
                }
                pause *= 2
            }
        }
    }

    private enum Outcome {
        case taken(butNot: Int)
        case refused(String)
        case later(String, wait: Duration?)
    }

    /// Sends once and interprets the response: https://opentelemetry.io/docs/specs/otlp/#otlphttp-response
    private func attempt(_ request: HTTPRequest) async -> Outcome {
        do throws(HTTPError) {
            let response = try await http.send(request)
            switch response.status {
            case 200..<300: return .taken(butNot: Self.rejected(in: response.body))
            case 429, 502, 503, 504:
                return .later("it answered \(response.status)", wait: response.retryAfter())
            default: return .refused("it answered \(response.status)")
            }
        } catch {
            return .later("\(error)", wait: nil)
        }
    }

    /// A collector may accept only a part of the spans; the status is still 200.
    private static func rejected(in body: [UInt8]) -> Int {
        let count = (try? JSONValue(parsing: body))?.object?["partialSuccess"]?.object?["rejectedSpans"]
        return count?.number.flatMap { Int(exactly: $0) } ?? 0
    }

    /// Logs once that the collector is unreachable, and once that it is back.
    private func note(isFailing: Bool, _ reason: String = "") {
        let isNews = standing.withLock { standing in
            defer { standing.isFailing = isFailing }
            return standing.isFailing != isFailing
        }
        guard isNews else { return }
        if isFailing {
            log.warning("the collector of traces does not take spans", ["reason": reason])
        } else {
            log.info("the collector of traces takes spans again")
        }
    }
}

extension HTTPHeaders {
    fileprivate func setting(_ name: String, to value: String) -> Self {
        var headers = self
        headers[name] = value
        return headers
    }
}
