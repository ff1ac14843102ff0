/// The span that the task is in.
package enum TraceScope {
    /// Nil outside of a trace, and inside of one that is not kept: nothing of it is passed on.
    @TaskLocal package static var current: SpanContext?
}
