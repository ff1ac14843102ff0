/// A job as a person sees it.
package struct JobState: Identifiable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A worker holds it.
        case held
        /// May be claimed now.
        case ready
        /// Waits for a later time.
        case later
        /// Given up, and kept until a person retries or discards it.
        case dead
    }

    /// A failed call of the past, and the worker that made it.
    package struct Failure: Sendable, Equatable {
        /// When the failure was recorded: on the database's clock, since 1970.
        package let at: Duration
        /// When the call was sent, and how long it took; nil if no call was made, or an older program stored the
        /// failure.
        package let startedAt: Duration?
        package let took: Duration?
        package let worker: WorkerID?
        package let reason: String?
    }

    package let id: Int
    package let lane: String
    package let kind: Kind
    package let priority: Int
    package let failures: Int
    package let losses: Int
    package let subjects: [Int]

    /// When it can start, when its call may start, or when it died: on the database's clock, since 1970.
    package let moment: Duration

    /// The worker that holds it.
    package let worker: Holder?

    /// The reason why it is dead, or why it last failed.
    package let reason: String?
    package let history: [Failure]

    /// The database's clock, since 1970.
    package let asOf: Duration

    package struct Holder: Sendable, Equatable {
        package let id: WorkerID
        /// Nil for a worker that is no longer registered. Its jobs will be freed soon.
        package let name: String?
        package let host: String?
    }
}
