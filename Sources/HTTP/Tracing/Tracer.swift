package import Processes

/// Collects the spans of this process for a ``SpanExporter``.
///
/// Recording only appends to a list. If the list is full the span is dropped and counted, so tracing never delays the
/// work.
package final class Tracer: Sendable {
    package let sampler: Sampler
    private let dropped: Counter
    private let state = Locked(State())
    private let longestQueue: Int
    /// Wakes the exporter.
    let calls: AsyncStream<Call>
    private let call: AsyncStream<Call>.Continuation

    enum Call: Sendable {
        /// The first span in an empty list.
        case first
        /// The list has a full batch, or must be sent at once.
        case full
    }

    private struct State {
        var spans: [Span] = []
        var isClosed = false
    }

    /// How many spans one request carries.
    static let batch = 512

    /// Registers the counter, also in a process that traces nothing.
    package static func countOfDropped(in metrics: Metrics) -> Counter {
        metrics.counter(
            "waypost_trace_spans_dropped_total",
            "Spans that were not sent, because the list was full or the collector did not take them.")[]
    }

    package init(sampler: Sampler = .usual, longestQueue: Int = 8_192, metrics: Metrics = Metrics()) {
        self.sampler = sampler
        self.longestQueue = longestQueue
        dropped = Self.countOfDropped(in: metrics)
        (calls, call) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    /// The context of a new span: in its parent's trace, or in a new trace.
    package func context(under parent: SpanContext?) -> SpanContext {
        let trace = parent?.trace ?? .random()
        return SpanContext(
            trace: trace, isSampled: sampler.keeps(trace, under: parent), state: parent?.state ?? "")
    }

    /// Records finished spans, except those of traces that are not kept.
    package func record(_ spans: [Span]) {
        let spans = spans.filter(\.context.isSampled)
        guard !spans.isEmpty else { return }
        let (taken, wasEmpty, isFull) = state.withLock { state in
            let room = state.isClosed ? 0 : longestQueue - state.spans.count
            let wasEmpty = state.spans.isEmpty
            state.spans += spans.prefix(room)
            return (min(room, spans.count), wasEmpty, state.spans.count >= Self.batch)
        }
        if taken < spans.count { drop(spans.count - taken) }
        if isFull { call.yield(.full) } else if wasEmpty { call.yield(.first) }
    }

    func drop(_ count: Int) { dropped.add(count) }

    /// Removes and returns the spans for one request.
    func drain() -> [Span] {
        state.withLock { state in
            let batch = Array(state.spans.prefix(Self.batch))
            state.spans.removeFirst(batch.count)
            return batch
        }
    }

    /// Accepts no more spans; the exporter sends the remaining ones now.
    func close() {
        state.withLock { $0.isClosed = true }
        call.yield(.full)
        call.finish()
    }

    func callAgain() { call.yield(.full) }
}

extension Tracer {
    /// Runs `body` in a span of its own. Attributes can be added until it ends.
    package func trace<Value>(
        _ name: String, _ kind: Span.Kind = .internal, under parent: SpanContext? = TraceScope.current,
        isParentRemote: Bool = false, attributes: [(name: String, value: Span.Value)] = [],
        _ body: () async throws -> Value, finish: (inout Span, Result<Value, any Error>) -> Void = { _, _ in }
    ) async throws -> Value {
        let context = context(under: parent)
        guard context.isSampled else { return try await TraceScope.$current.withValue(nil) { try await body() } }
        let start = ContinuousClock.now
        let result: Result<Value, any Error>
        do {
            result = .success(try await TraceScope.$current.withValue(context) { try await body() })
        } catch {
            result = .failure(error)
        }
        var span = Span(
            name, kind, context, under: parent, isParentRemote: isParentRemote, from: start, attributes: attributes)
        if case .failure = result { span.hasFailed = true }
        finish(&span, result)
        record([span])
        return try result.get()
    }
}
