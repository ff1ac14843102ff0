package import HTTP
package import Postgres
package import Queue

/// What the jobs of a lane mean: how one becomes a call, and where its answer goes.
///
/// The queue knows jobs, slots and leases, and nothing of what they are about.
package protocol LaneWork: Sendable {
    /// What a call needs to know.
    associatedtype Question: Sendable
    /// What a call found out.
    associatedtype Answer: Sendable

    var lane: String { get }

    /// Through whom the calls leave; nil where one leaves in the moment in which it is made.
    var sender: (any HTTPCaller)? { get }

    /// Reads what the calls of `jobs` need. A job that is left out has nothing to ask any more: it ends uncalled.
    func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Question]

    /// Makes one call, if `departure` lets it go; else the reply is ``JobOutcome/void``. It should end early, in
    /// whatever way, when its task is cancelled.
    ///
    /// A call that a `sender` sends may come so much earlier as that one needs to be ready, and waits there.
    func call(_ question: Question, _ departure: Departure) async -> Reply<Answer>

    /// Stores what became of jobs, in the transaction that ended them; none is among them whose lease was lost.
    /// `successors` carry what was left over, and `givenUp` are left-overs that had their last try.
    func store(
        _ ends: [JobEnd<Answer>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection) throws
}

extension LaneWork {
    package var sender: (any HTTPCaller)? { nil }
}

/// What came of a call.
package struct Reply<Answer: Sendable>: Sendable {
    package let outcome: JobOutcome
    package let answer: Answer?

    package init(_ outcome: JobOutcome, answer: Answer? = nil) {
        self.outcome = outcome
        self.answer = answer
    }
}

/// A job that has just ended, and its answer if there is one.
package struct JobEnd<Answer: Sendable>: Sendable {
    package let job: Job
    package let answer: Answer?

    /// Why the job is dead; nil when it ended well.
    package let deathReason: String?
}
