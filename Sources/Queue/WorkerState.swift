/// The number of a running worker process. One that starts again gets another.
package typealias WorkerID = Int

/// A running worker process, as the others see it.
package struct WorkerState: Identifiable, Sendable {
    package let id: WorkerID
    package let name: String
    package let host: String
    package let pid: Int

    /// Since the last heartbeat, on the database's clock.
    package let silence: Duration

    /// Jobs in its hands.
    package let held: Int
}

/// What kind of process keeps a row alive.
package enum ProcessRole: String, Sendable, CaseIterable {
    case worker
    case coordinator
}
