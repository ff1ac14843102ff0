import Access
import Cluster
import Contacts
import DatabaseTesting
import HTTPTesting
import Postgres
import Processes
import Providers
import Questions
import Testing

@testable import API
@testable import HTTP
@testable import Queue

/// An API server, a worker, a provider and a collector of traces, each on a socket.
struct TraceScene {
    let collector: Collector
    let provider: ScriptedServer
    let tracer: Tracer
    let database: Database
    private let log = Log(format: .logfmt) { _ in }

    init(sampler: Sampler = .usual, provider answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer)
        async throws
    {
        collector = try Collector()
        provider = try ScriptedServer(answer)
        tracer = Tracer(sampler: sampler)
        database = try Database.test
        try await database.transaction { db in
            let queue = JobQueue()
            try queue.prepareLane("nominatim", batch: 1, limits: [], attribution: "", on: db)
            try queue.change("nominatim", on: db) { $0.firstRetry = .milliseconds(1) }
            try ChainStore().set("default", to: Chain([.init("nominatim")]), on: db)
        }
    }

    static let house = ScriptedAnswer.json(
        #"""
        [{"lat": "39.5", "lon": "-119.8", "category": "place", "type": "house", "addresstype": "place",
          "place_rank": 30, "display_name": "", "address": {"house_number": "7", "road": "Elm St",
          "city": "Reno", "country": "United States", "country_code": "us"}}]
        """#)

    /// Returns the spans, once the collector has enough of them.
    ///
    /// `import` sends the contact like a client. The provider gets the trace only if it `isOurs`.
    func spans(
        importing headers: HTTPHeaders, isOurs: Bool = false, until isDone: ([ReceivedSpan]) -> Bool
    ) async throws -> [ReceivedSpan] {
        defer {
            collector.server.stop()
            provider.stop()
        }
        let exporting = Task { [exporter = try exporter()] in try await exporter.run {} }
        defer { exporting.cancel() }
        try await importContact(headers)
        var options = HTTPClient.Options(userAgent: "Waypost")
        options.witness = tracer.witness(handsOn: isOurs)
        let client = HTTPClient(options)
        let nominatim = NominatimProvider(server: try #require(HTTPURL(provider.url)), language: "en", http: client)
        let worker = Worker(
            name: "ada", database: database, works: [GeocodingWork(nominatim)], registry: ProcessRegistry(),
            callsAtOnce: 4, log: log, tracer: tracer)
        let working = Task { try await worker.run {} }
        let spans = try await collector.spans(until: isDone)
        working.cancel()
        try await working.value
        await client.close()
        return spans
    }

    private func exporter() throws -> SpanExporter {
        var options = SpanExporter.Options(endpoint: try #require(HTTPURL(collector.endpoint)))
        options.delay = .milliseconds(1)
        return SpanExporter(tracer, options, log: log)
    }

    private func importContact(_ headers: HTTPHeaders) async throws {
        let tokens = TokenStore()
        let token = try await database.run { db in
            try tokens.create(
                account: ContactStore().openAccount(named: "default", on: db), name: "a", scopes: [.write], on: db
            ).text
        }
        var options = Database.Options(size: 2)
        options.role = "waypost_api"
        options.prepare = { try $0.queueJobs(inTrace: TraceScope.current?.text) }
        var backend = Backend(
            database: Database(url: try Database.testURL, options: options), tokens: tokens, openAccount: nil, log: log,
            standing: { _ in CoordinatorStanding(isHeard: true, isLed: true) })
        backend.tracer = tracer
        let server = HTTPServer(router: APIServer(backend).router, errorResponse: APIServer.errorResponse)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run { port.yield($0) } }
        let number = try #require(await ports.first { _ in true })
        var request = HTTPRequest(
            .post, try #require(HTTPURL("http://127.0.0.1:\(number)/v1/geocode")), headers: headers)
        request.headers["Authorization"] = "Bearer \(token)"
        request.headers["Content-Type"] = "application/json"
        request.body = Array(#"{"street": "7 Elm St", "city": "Reno", "country": "US"}"#.utf8)
        let client = HTTPClient(HTTPClient.Options(userAgent: "test"))
        let response = try await client.send(request)
        #expect(response.status == 202, "\(String(decoding: response.body, as: UTF8.self))")
        // A second request without a trace, over the same database connection.
        request.body = Array(#"{"street": "8 Elm St", "city": "Reno", "country": "US"}"#.utf8)
        request.headers["traceparent"] = "00-0000000000000000000000000000000f-000000000000000f-00"
        #expect(try await client.send(request).status == 202)
        let traces = try await database.run { db in
            try db.query("SELECT trace FROM jobs ORDER BY id").map { try $0.readIfPresent("trace", as: String.self) }
        }
        #expect(traces.count == 2 && traces[0] != nil && traces[1] == nil)
        await client.close()
        serving.cancel()
        try await serving.value
        await backend.database.close()
    }
}
