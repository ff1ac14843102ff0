package import HTTP
package import Postgres
package import Queue

/// The work of a lane's jobs: it makes a call of a job, and stores the answer.
///
/// The queue handles jobs, slots and leases, and knows nothing of their subjects.
package protocol LaneWork: Sendable {
    /// The input of a call.
    associatedtype Question: Sendable
    /// The result of a call.
    associatedtype Answer: Sendable

    var lane: String { get }

    /// The sender of the calls; nil if a call is made immediately.
    var sender: (any HTTPCaller)? { get }

    /// Prepares whatever the first call would have to wait for.
    func warmUp()

    /// Reads the input for the calls of `jobs`. A job that is missing in the result no longer needs a call and ends
    /// without one.
    func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Question]

    /// Makes one call, if `departure` permits it; otherwise replies ``JobOutcome/void``. It should end early when its
    /// task is cancelled.
    ///
    /// A call through a `sender` may begin earlier, by the time that the sender needs to prepare, and then waits in the
    /// sender.
    func call(_ question: Question, _ departure: Departure) async -> Reply<Answer>

    /// Stores the results of jobs, in the transaction that ends them. Jobs whose lease was lost are not included.
    /// `successors` have the left-overs, and `givenUp` are left-overs that had their last attempt.
    func store(
        _ ends: [JobEnd<Answer>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection) throws
}

extension LaneWork {
    package var sender: (any HTTPCaller)? { nil }
    package func warmUp() {}
}

/// A lane that a person may add, change or remove while workers run, such as that of a sink.
package struct ChangingLane: Sendable {
    package let name: String
    /// A new value after each change. Then the work is made again.
    package let version: String
    package let makeWork: @Sendable (Database) throws -> any LaneWork

    package init(name: String, version: String, makeWork: @escaping @Sendable (Database) throws -> any LaneWork) {
        self.name = name
        self.version = version
        self.makeWork = makeWork
    }
}

/// The result of a call.
package struct Reply<Answer: Sendable>: Sendable {
    package let outcome: JobOutcome
    package let answer: Answer?

    @inlinable
    package init(_ outcome: JobOutcome, answer: Answer? = nil) {
        self.outcome = outcome
        self.answer = answer
    }
}

/// A job that has just ended, with its answer if there is one.
package struct JobEnd<Answer: Sendable>: Sendable {
    package let job: Job
    package let answer: Answer?

    /// The reason why the job is dead; nil if it ended well.
    package let deathReason: String?

    package init(job: Job, answer: Answer?, deathReason: String?) {
        self.job = job
        self.answer = answer
        self.deathReason = deathReason
    }
}
