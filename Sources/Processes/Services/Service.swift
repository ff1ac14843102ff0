/// A task that works until it is cancelled: a worker, a coordinator, the HTTP server.
///
/// A service has only the function ``run(ready:)``. There is no `stop`: cancelling its task means that it should finish
/// its current work and return.
package protocol Service: Sendable {
    /// The service's name in the log.
    var name: String { get }

    /// Works until the task is cancelled. Calls `ready` once other services can use it; services that start later wait
    /// for that.
    ///
    /// A return without a cancellation means that the work is done. The other services then stop in order. An error
    /// means that the service failed, and stops them too. A `CancellationError` after a cancellation is not a failure.
    func run(ready: @escaping @Sendable () -> Void) async throws
}

/// Services did not end within their limit, and may still run.
///
/// Code in the same process can't end them. The process should exit with a failure; leases protect the rest.
struct StopLimitExceeded: Error, Equatable {
    let services: [String]
    let limit: Duration
}

extension StopLimitExceeded: CustomStringConvertible {
    package var description: String {
        "\(services.joined(separator: ", ")) did not stop within \(limit.text) and was left behind"
    }
}
