import Processes
import Testing

@testable import HTTP

struct TracingSettingsTests {
    private func settings(_ environment: [String: String]) throws -> TracingSettings? {
        var reader = SettingsReader(environment)
        let settings = TracingSettings(&reader, version: "1.2.3")
        try reader.finish()
        return settings
    }

    private func mistakes(_ environment: [String: String]) -> [String] {
        do {
            _ = try settings(environment)
            return []
        } catch { return (error as? SettingsError)?.mistakes ?? [] }
    }

    private let endpoint = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"]

    @Test func `without an endpoint, or when disabled, nothing is traced`() throws {
        #expect(try settings([:]) == nil)
        // Settings that all services of a host may have.
        #expect(try settings(["OTEL_TRACES_SAMPLER": "xray", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"]) == nil)
        #expect(try settings(endpoint.merging(["OTEL_SDK_DISABLED": "true"]) { $1 }) == nil)
        #expect(try settings(endpoint.merging(["OTEL_TRACES_EXPORTER": "none"]) { $1 }) == nil)
    }

    @Test func `the endpoint of traces is used as it is, and that of all signals is a base`() throws {
        #expect(try settings(endpoint)?.exporter.endpoint.text == "http://collector:4318/v1/traces")
        let below = ["OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example/otlp/"]
        #expect(try settings(below)?.exporter.endpoint.text == "https://c.example/otlp/v1/traces")
        let own = endpoint.merging(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://other:1/in"]) { $1 }
        #expect(try settings(own)?.exporter.endpoint.text == "http://other:1/in")
    }

    @Test func `headers, names and the limit are in the standard's format`() throws {
        let read = try #require(
            try settings(
                endpoint.merging([
                    "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b%3D, x=1=2", "OTEL_SERVICE_NAME": "geo",
                    "OTEL_RESOURCE_ATTRIBUTES": "service.name=other,deployment.environment.name=staging",
                    "OTEL_EXPORTER_OTLP_TIMEOUT": "250", "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
                    "OTEL_TRACES_SAMPLER_ARG": "0.25",
                ]) { $1 }))
        #expect(read.exporter.headers["api-key"] == "a b=")
        #expect(read.exporter.headers["x"] == "1=2")
        #expect(read.exporter.limit == .milliseconds(250))
        #expect(read.sampler.ratio == 0.25 && read.sampler.heedsParent)
        let resource = Dictionary(uniqueKeysWithValues: read.exporter.resource.map { ($0.name, $0.value) })
        #expect(
            resource == [
                "service.name": "geo", "service.version": "1.2.3", "deployment.environment.name": "staging",
            ])
    }

    @Test func `unsupported settings are refused, all at once`() {
        let found = mistakes(
            endpoint.merging([
                "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION": "gzip",
                "OTEL_TRACES_EXPORTER": "zipkin", "OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "2",
                "OTEL_EXPORTER_OTLP_HEADERS": "secret", "OTEL_EXPORTER_OTLP_TIMEOUT": "10s",
            ]) { $1 })
        #expect(found.count == 6)
        #expect(
            found.contains(
                "OTEL_EXPORTER_OTLP_PROTOCOL is \"grpc\"; Waypost speaks http/json, which collectors take at the port of "
                    + "http/protobuf, 4318"))
        #expect(found.contains("OTEL_TRACES_SAMPLER_ARG is \"2\"; it takes a number from 0 to 1"))
        #expect(!found.joined().contains("secret"))
        #expect(mistakes(["OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"]).count == 1)
        #expect(mistakes(endpoint.merging(["OTEL_TRACES_SAMPLER": "xray"]) { $1 }).count == 1)
    }
}
