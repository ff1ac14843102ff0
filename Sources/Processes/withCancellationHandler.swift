/// Same as `withTaskCancellationHandler`, but runs `operation` where the caller runs.
///
/// The standard library was compiled without `NonisolatedNonsendingByDefault`. So its function runs the operation of a
/// nonisolated caller on Swift's own threads: two thread switches, if the caller runs on an actor's own thread.
package func withCancellationHandler<Value>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value,
    onCancel: @Sendable () -> Void
) async rethrows -> Value {
    try await withTaskCancellationHandler(
        operation: {
            _ = isolation
            return try await operation()
        }, onCancel: onCancel, isolation: isolation)
}
