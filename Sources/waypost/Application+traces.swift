import Geocoding
import HTTP
import Postgres
import Queue

extension Application {
    /// Runs an operation that starts a trace, for a command. The spans are sent before the command ends.
    func traced<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
        guard let exporter = spanExporter, let tracer else { return try await body() }
        let sending = Task { try await exporter.run {} }
        let result: Result<Value, any Error>
        do { result = .success(try await tracer.trace(name, .internal) { try await body() }) } catch {
            result = .failure(error)
        }
        sending.cancel()
        // The command ignores whether the collector accepted the spans.
        _ = await sending.result
        return try result.get()
    }

    /// Nil if tracing is off.
    var spanExporter: SpanExporter? {
        guard let tracer, let options = settings.tracing?.exporter else { return nil }
        return SpanExporter(tracer, options, log: log)
    }

    /// Adds the current trace to jobs that are enqueued inside it.
    static func keepTraces(in options: inout Database.Options, _ tracer: Tracer?) {
        guard tracer != nil else { return }
        options.prepare = { try $0.queueJobs(inTrace: TraceScope.current?.text) }
    }

    /// Makes a provider with a client of its own. A setting lists the providers that get the trace context.
    static func provider(
        _ make: (HTTPClient) -> any GeocodingProvider, _ settings: ProviderSettings, _ tracer: Tracer?
    ) -> any GeocodingProvider {
        let provider = make(settings.newClient())
        guard let tracer else { return provider }
        var options = settings.clientOptions
        options.witness = tracer.witness(handsOn: settings.traced.contains(provider.name))
        return make(HTTPClient(options))
    }
}
