package import Postgres
package import Queue

/// An action of a person on selected jobs. The API and the command line have the same three.
package enum JobVerb: String, Sendable {
    case retry, cancel, discard

    /// For errors such as "job 7 can't be retried".
    package var participle: String {
        switch self {
        case .retry: "retried"
        case .cancel: "cancelled"
        case .discard: "discarded"
        }
    }

    /// How many of the counted jobs it changes. A single job is also retried if it is due already.
    package func fitting(_ count: JobCount, isOne: Bool) -> Int {
        switch self {
        case .retry: count.dead + (isOne ? count.waiting : count.delayed)
        case .cancel: count.waiting
        case .discard: count.dead
        }
    }

    /// Acts on the jobs of the selection, which `count` counted before.
    package func run(
        _ selection: JobSelection, _ count: JobCount, by author: Author, on database: some DatabaseAccess
    ) async throws -> SteeredJobs {
        var jobs = SteeredJobs(count: count)
        jobs.isDry = false
        switch self {
        case .retry: jobs.retried = try await QuestionQueue().retry(selection, by: author, on: database)
        case .cancel: jobs.changed = try await QuestionQueue().cancel(selection, by: author, on: database)
        case .discard:
            jobs.changed = try await database.transaction(within: nil) {
                try JobQueue().discard(selection, by: author, on: $0)
            }
        }
        return jobs
    }
}

/// The counts of an action on jobs, or of its dry run.
package struct SteeredJobs: Sendable {
    /// The selected jobs before the action.
    package let count: JobCount
    package fileprivate(set) var isDry = true
    package fileprivate(set) var retried = QuestionQueue.Retried()
    /// Cancelled or discarded jobs.
    package fileprivate(set) var changed = 0

    package init(count: JobCount) { self.count = count }
}
