import Queue
import Tracing

/// What a worker knows of a job that belongs to a trace, until its result is stored: then it is five spans.
///
///     import                     the API's, or the command's
///     ├─ wait LANE               since it could be claimed, until its call began
///     └─ job LANE                what this worker did about it
///        ├─ claim LANE
///        ├─ call LANE            its requests are below it
///        └─ record LANE
///
/// A job that is tried again has the last four once more.
struct JobTrace: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// Of whoever queued it.
    let parent: SpanContext
    let job: SpanContext
    let call: SpanContext
    let dueAt, askedAt, answeredAt: Instant
    /// How many jobs the claim brought, and those of other traces among them.
    let claimed: Int
    let claimedBeside: [SpanContext]
    var beganAt: Instant?
    var leftAt: Instant?
    var endedAt: Instant?

    /// A span has no more links than this: a claim may bring hundreds of jobs.
    static let mostLinks = 16
}

/// The traces of the jobs in hand.
struct JobTraces {
    private var traces: [Job.ID: JobTrace] = [:]
    private var fanOut = FanOut()

    /// Notes which of `jobs`, that a claim just brought, are traced.
    mutating func begin(_ jobs: [Job], of claimed: LaneLoop.Claimed, _ tracer: Tracer) {
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

    /// The context in which the job is called; nil where it is not traced.
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

/// Lets so many jobs of one trace be traced, and no more: an import of a hundred thousand addresses is one trace, which
/// nobody can read whole.
struct FanOut {
    private var counts: [TraceID: Int] = [:]
    static let most = 250

    mutating func admits(_ trace: TraceID) -> Bool {
        // Those of long ago begin anew, sooner than that they fill the memory.
        if counts.count > 1_000 { counts = [:] }
        counts[trace, default: 0] += 1
        return counts[trace, default: 0] <= Self.most
    }
}

extension JobTrace {
    /// The spans of the traced ones among entries that were stored together, since `began`.
    static func spans(of entries: [ResultWriter.Entry], in lane: String, recorded began: Instant) -> [Span] {
        let traced = entries.compactMap { entry in entry.trace.map { (trace: $0, report: entry.report) } }
        return traced.flatMap { trace, report in
            let beside = traced.lazy.map(\.trace.job).filter { $0.trace != trace.job.trace }
            return trace.spans(
                report, in: lane, recorded: began, with: entries.count, beside: Array(beside.prefix(mostLinks)))
        }
    }

    /// By the conventions for messaging, as far as they fit:
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
        whole.hasFailed = report.outcome.isFault
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

extension JobOutcome {
    /// What a person would look for in a trace.
    fileprivate var isFault: Bool {
        switch self {
        case .retry, .failed, .rate, .quota, .denied: true
        case .done, .moved, .snoozed, .released, .void: false
        }
    }
}
