package import Operations

/// Takes in the spans of this process, for a ``SpanExporter`` to send away.
///
/// To record is to append to a list. Where the list is full the span is dropped and counted: the work never waits for
/// whoever looks at it.
package final class Tracer: Sendable {
    package let sampler: Sampler
    private let dropped: Counter
    private let state = Locked(State())
    private let longestQueue: Int
    /// Tells the exporter that there is something to do.
    let calls: AsyncStream<Call>
    private let call: AsyncStream<Call>.Continuation

    enum Call: Sendable {
        /// The first span since the list was empty.
        case first
        /// As many as go out together; or nobody wants to wait.
        case full
    }

    private struct State {
        var spans: [Span] = []
        var isClosed = false
    }

    /// As many spans go out in one request.
    static let batch = 512

    /// The counter is there also in a process that traces nothing.
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

    /// The context of a span that begins here: a part of its parent's trace, or of a new one.
    package func context(under parent: SpanContext?) -> SpanContext {
        let trace = parent?.trace ?? .random()
        return SpanContext(
            trace: trace, isSampled: sampler.keeps(trace, under: parent), state: parent?.state ?? "")
    }

    /// Keeps spans that are over. Those of a trace that is not kept are left out.
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

    /// Takes out what goes in one request.
    func take() -> [Span] {
        state.withLock { state in
            let batch = Array(state.spans.prefix(Self.batch))
            state.spans.removeFirst(batch.count)
            return batch
        }
    }

    /// Nothing is taken in from now on; what is there, the exporter sends now.
    func close() {
        state.withLock { $0.isClosed = true }
        call.yield(.full)
        call.finish()
    }

    func callAgain() { call.yield(.full) }
}

extension Tracer {
    /// Does something in a span of its own. Its attributes may grow until it ends.
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
