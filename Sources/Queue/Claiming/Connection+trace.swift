package import Postgres

extension Connection {
    /// Says to whose trace the jobs belong that this session queues from now on: `traceparent`, and `tracestate` behind a space; nil
    /// for nobody's. It costs no round trip, and where nothing changes nothing at all.
    package func queueJobs(inTrace trace: String?) throws { try keep("waypost.trace", at: trace ?? "") }
}
