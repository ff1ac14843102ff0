/// Something that works until it is told to stop: a worker, a coordinator, the HTTP server.
///
/// All of a service is one ``run(ready:)``. There is no `stop`: cancelling the task that runs it means "finish what
/// you have in hand, then return".
package protocol Service: Sendable {
    /// What the log calls it.
    var name: String { get }

    /// Works until the task is cancelled. Calls `ready` once it can be relied on; what is started after it waits
    /// for that.
    ///
    /// Returning without being cancelled means that the work is done, and stops the other services in order. Throwing
    /// means that it failed, which stops them too. A `CancellationError` after a cancellation is no failure.
    func run(ready: @escaping @Sendable () -> Void) async throws
}

/// Services did not end in the time they were given, and may still run.
///
/// Nothing inside the process can end them. It should exit with a failure, and leave the rest to the leases.
package struct StopLimitExceeded: Error, Equatable {
    package let services: [String]
    package let limit: Duration
}

extension StopLimitExceeded: CustomStringConvertible {
    package var description: String {
        "\(services.joined(separator: ", ")) did not stop within \(limit.text) and was left behind"
    }
}
