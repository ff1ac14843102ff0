import HTTP
import Queue

/// The times of a traced job, until its result is stored. Then they become five spans:
///
///     import                     the span of the API or the command
///     ├─ wait LANE               since the job could be claimed, until its call began
///     └─ job LANE                the work of this worker
///        ├─ claim LANE
///        ├─ call LANE            its requests are below it
///        └─ record LANE
///
/// A job that is retried has the last four spans again.
struct JobTrace: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The context of the request that queued the job.
    let parent: SpanContext
    let job: SpanContext
    let call: SpanContext
    let dueAt, askedAt, answeredAt: Instant
    /// How many jobs the claim brought, and the contexts of those in other traces.
    let claimed: Int
    let claimedBeside: [SpanContext]
    var beganAt: Instant?
    var leftAt: Instant?
    var endedAt: Instant?

    /// A span has at most this many links: a claim may bring hundreds of jobs.
    static let mostLinks = 16
}

/// The traces of the jobs in hand.
struct JobTraces {
    private var traces: [Job.ID: JobTrace] = [:]
    private var fanOut = FanOut()

    /// Begins the traces of those `jobs` of a claim that are traced.
    mutating func begin(_ jobs: [Job], of claimed: LaneMachine.Claimed, _ tracer: Tracer) {
        let parents = jobs.compactMap { job -> (job: Job, parent: SpanContext)? in
            guard let parent = job.trace.flatMap({ SpanContext($0) }),
                tracer.sampler.keeps(parent.trace, under: parent),
                fanOut.admits(parent.trace)
            else { return nil }
            return (job, parent)
        }
        guard !parents.isEmpty else { return }
        let contexts = parents.map { tracer.context(under: $0.parent) }
        for ((job, parent), own) in zip(parents, contexts) {
            traces[job.id] = JobTrace(
                parent: parent, job: own, call: own.sibling(),
                dueAt: claimed.answered - max(.zero, claimed.claim.toldAt - job.dueAt), askedAt: claimed.askedAt,
                answeredAt: claimed.answered, claimed: claimed.claim.jobs.count,
                claimedBeside: Array(contexts.lazy.filter { $0.trace != own.trace }.prefix(JobTrace.mostLinks)))
        }
    }

    /// Returns the context for the job's call; nil if the job is not traced.
    mutating func beginCall(of job: Job.ID, at instant: ContinuousClock.Instant) -> SpanContext? {
        traces[job]?.beganAt = instant
        return traces[job]?.call
    }

    mutating func endCall(of job: Job.ID, leftAt: ContinuousClock.Instant?, at instant: ContinuousClock.Instant) {
        traces[job]?.leftAt = leftAt
        traces[job]?.endedAt = instant
    }

    mutating func remove(_ job: Job.ID) -> JobTrace? { traces.isEmpty ? nil : traces.removeValue(forKey: job) }
}

/// Limits how many jobs of one trace are traced: an import of a hundred thousand addresses is one trace, which no
/// person can read whole.
struct FanOut {
    private var counts: [TraceID: Int] = [:]
    static let most = 250

    mutating func admits(_ trace: TraceID) -> Bool {
        // Resets all counts, so that counts of old traces don't fill the memory.
        if counts.count > 1_000 { counts = [:] }
        counts[trace, default: 0] += 1
        return counts[trace, default: 0] <= Self.most
    }
}

extension JobTrace {
    /// Returns the spans of the traced jobs among entries that were stored together. The write started at `began`.
    static func spans(of entries: [ResultWriter.Entry], in lane: String, recorded began: Instant) -> [Span] {
        let traced = entries.compactMap { entry in entry.trace.map { (trace: $0, report: entry.report) } }
        return traced.flatMap { trace, report in
            let beside = traced.lazy.map(\.trace.job).filter { $0.trace != trace.job.trace }
            return trace.spans(
                report, in: lane, recorded: began, with: entries.count, beside: Array(beside.prefix(mostLinks)))
        }
    }

    /// Follows the conventions for messaging, as far as they fit:
    /// https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
    private func spans(
        _ report: JobReport, in lane: String, recorded began: Instant, with count: Int, beside: [SpanContext]
    ) -> [Span] {
        let now = Instant.now
        let common: [(name: String, value: Span.Value)] = [
            ("messaging.system", "waypost"), ("messaging.destination.name", .text(lane)),
            ("messaging.message.id", .text("\(report.job.id)")),
        ]
        func span(
            _ operation: String, _ kind: Span.Kind, _ context: SpanContext, under parent: SpanContext,
            from start: Instant, to end: Instant, _ attributes: [(name: String, value: Span.Value)] = []
        ) -> Span {
            Span(
                "\(operation) \(lane)", kind, context, under: parent, isParentRemote: parent == self.parent,
                from: start, to: end,
                attributes: common + [("messaging.operation.name", .text(operation))] + attributes)
        }
        var whole = span(
            "job", .consumer, job, under: parent, from: askedAt, to: now,
            [
                ("messaging.operation.type", "process"), ("waypost.job.questions", .number(report.job.subjects.count)),
                ("waypost.job.failures", .number(report.job.failures)),
                ("waypost.job.outcome", .text(report.outcome.name)),
            ])
        whole.hasFailed = report.outcome.inLog.isTrouble
        if whole.hasFailed { whole.attributes.append(("error.type", .text(report.outcome.name))) }
        let wait = span("wait", .internal, parent.sibling(), under: parent, from: dueAt, to: leftAt ?? beganAt ?? now)
        var claim = span(
            "claim", .client, job.sibling(), under: job, from: askedAt, to: answeredAt,
            [("messaging.operation.type", "receive"), ("messaging.batch.message_count", .number(claimed))])
        claim.links = claimedBeside
        var record = span(
            "record", .client, job.sibling(), under: job, from: began, to: now,
            [("messaging.operation.type", "settle"), ("messaging.batch.message_count", .number(count))])
        record.links = beside
        guard let beganAt else { return [whole, wait, claim, record] }
        var made = span("call", .internal, call, under: job, from: beganAt, to: endedAt ?? began)
        made.hasFailed = whole.hasFailed
        return [whole, wait, claim, made, record]
    }
}
