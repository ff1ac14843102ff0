/// The current span of a task.
package enum TraceScope {
    /// Nil outside of a trace, and in a trace that is not kept: then no context is passed on.
    @TaskLocal package static var current: SpanContext?
}
