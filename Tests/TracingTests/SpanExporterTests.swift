import ExtremesTesting
import HTTPTesting
import JSON
import Polling
import Processes
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(10)))
struct SpanExporterTests {
    private let metrics = Metrics()

    private func spans(_ count: Int) -> [Span] {
        (0..<count).map { number in
            Span(
                "\(number)", .internal, SpanContext(trace: .random(), isSampled: true), under: nil,
                from: .now - .seconds(1), attributes: [("number", .number(number)), ("text", "a \"b\"\n")])
        }
    }

    private func exporter(
        _ tracer: Tracer, to collector: Collector, stopLimit: Duration = .seconds(20)
    ) throws -> SpanExporter {
        var options = SpanExporter.Options(endpoint: try #require(HTTPURL(collector.endpoint)))
        options.headers["api-key"] = "secret"
        options.resource = [("service.name", "waypost")]
        options.delay = .milliseconds(1)
        options.firstRetry = .milliseconds(1)
        options.stopLimit = stopLimit
        return SpanExporter(tracer, options, log: Log(format: .logfmt) { _ in })
    }

    private var dropped: Int? {
        metrics.text.split(separator: "\n").first { $0.hasPrefix("waypost_trace_spans_dropped_total ") }
            .flatMap { Int($0.split(separator: " ")[1]) }
    }

    @Test func `spans are sent together, in requests of bounded size`() async throws {
        let collector = try Collector()
        defer { collector.server.stop() }
        let tracer = Tracer(metrics: metrics)
        let sending = Task { [exporter = try exporter(tracer, to: collector)] in try await exporter.run {} }
        tracer.record(spans(1_100))
        let seen = try await collector.spans { $0.count == 1_100 }
        #expect(Set(seen.map(\.name)) == Set((0..<1_100).map { "\($0)" }))
        #expect(seen[7].attributes["number"]?.number == 7)
        #expect(seen[7].text("text") == "a \"b\"\n")
        #expect(seen[7].resource["service.name"]?.text == "waypost")
        #expect(collector.server.requests[0].headers["api-key"] == "secret")
        #expect(collector.server.requests.allSatisfy { $0.body.count < 512 * 600 })
        sending.cancel()
        try await sending.value
        #expect(dropped == 0)
    }

    @Test(arguments: [429, 502, 503, 504])
    func `a busy collector is called again at the time it gives`(status: Int) async throws {
        let count = Locked(0)
        let collector = try Collector { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number < 3 ? .status(status, [("Retry-After", "0")]) : .json("{}")
        }
        defer { collector.server.stop() }
        let tracer = Tracer(metrics: metrics)
        let sending = Task { [exporter = try exporter(tracer, to: collector)] in try await exporter.run {} }
        tracer.record(spans(1))
        let seen = try await collector.spans { $0.count == 3 }
        #expect(Set(seen.map(\.id)).count == 1)
        // The next request is sent only after this one was accepted.
        tracer.record(spans(1))
        _ = try await collector.spans { $0.count == 1 }
        sending.cancel()
        try await sending.value
        #expect(dropped == 0)
    }

    @Test func `spans that the collector refuses are dropped and counted`() async throws {
        let count = Locked(0)
        let collector = try Collector { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? .status(400) : .json(#"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}"#)
        }
        defer { collector.server.stop() }
        let tracer = Tracer(metrics: metrics)
        let sending = Task { [exporter = try exporter(tracer, to: collector)] in try await exporter.run {} }
        tracer.record(spans(3))
        _ = try await collector.spans { $0.count == 3 }
        tracer.record(spans(4))
        _ = try await collector.spans { $0.count == 4 }
        try await pollUntil { dropped == 3 + 2 }
        sending.cancel()
        try await sending.value
    }

    @Test func `a collector may name any number of refused spans`() async throws {
        let answers = Extremes.numbers.flatMap { [$0, "\"\($0)\""] }
            .map { #"{"partialSuccess":{"rejectedSpans":\#($0)}}"# }
        let next = Locked(answers[...])
        let collector = try Collector { _ in .json(next.withLock { $0.popFirst() } ?? "{}") }
        defer { collector.server.stop() }
        let tracer = Tracer(metrics: metrics)
        let sending = Task { [exporter = try exporter(tracer, to: collector)] in try await exporter.run {} }
        for _ in answers {
            tracer.record(spans(1))
            _ = try await collector.spans { $0.count == 1 }
        }
        sending.cancel()
        try await sending.value
        // A span is dropped at most once.
        #expect((0...answers.count).contains(dropped ?? -1))
    }

    @Test func `without a collector, no caller waits`() async throws {
        let tracer = Tracer(longestQueue: 10, metrics: metrics)
        tracer.record(spans(25))
        tracer.record(spans(1))
        #expect(dropped == 16)
        let unkept = Span("a", .internal, SpanContext(trace: .random(), isSampled: false), under: nil, from: .now)
        tracer.record([unkept])
        #expect(dropped == 16)
    }

    @Test func `remaining spans are sent at the end`() async throws {
        let collector = try Collector()
        defer { collector.server.stop() }
        let tracer = Tracer(metrics: metrics)
        var options = SpanExporter.Options(endpoint: try #require(HTTPURL(collector.endpoint)))
        // No request is sent before the end.
        options.delay = .seconds(3_600)
        let exporter = SpanExporter(tracer, options, log: Log(format: .logfmt) { _ in })
        let sending = Task { try await exporter.run {} }
        tracer.record(spans(3))
        sending.cancel()
        try await sending.value
        #expect(try await collector.spans { $0.count == 3 }.count == 3)
        #expect(dropped == 0)
    }

    @Test func `a hanging collector does not delay the end for long`() async throws {
        let collector = try Collector { _ in .hang }
        defer { collector.server.stop() }
        let tracer = Tracer(metrics: metrics)
        let sending = Task { [exporter = try exporter(tracer, to: collector, stopLimit: .milliseconds(200))] in
            try await exporter.run {}
        }
        tracer.record(spans(3))
        for await _ in collector.server.arrivals { break }
        sending.cancel()
        try await sending.value
        // A second request would mean that it waited for the first one's time limit.
        #expect(collector.server.requests.count == 1)
        #expect(dropped == 3)
    }

    @Test func `an absent collector is tried four times, then the spans are dropped`() async throws {
        let collector = try Collector { _ in .close }
        defer { collector.server.stop() }
        let tracer = Tracer(metrics: metrics)
        let sending = Task { [exporter = try exporter(tracer, to: collector)] in try await exporter.run {} }
        tracer.record(spans(3))
        try await pollUntil { dropped == 3 }
        #expect(collector.server.requests.count == 4)
        sending.cancel()
        try await sending.value
    }
}
