package import Postgres

extension Connection {
    /// Sets the trace of the jobs that this session queues from now on: `traceparent`, a space, and `tracestate`; nil
    /// for none. It costs no round trip, and nothing at all if the trace does not change.
    package func queueJobs(inTrace trace: String?) throws { try keep("waypost.trace", at: trace ?? "") }
}
