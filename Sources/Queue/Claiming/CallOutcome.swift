import Postgres

/// The outcomes of jobs that are reported to `finish_jobs`, and `lost`. The properties mirror
/// `sql/functions/outcomes.sql`, and `RuleHomesTests` compares both.
package enum CallOutcome: String, Sendable, CaseIterable {
    case done, moved, snoozed, retry, rate, quota, failed, lost, released, void

    /// The counter of a call in ``CallCounts``.
    package enum Counter: String {
        case answered, retried, limited, failed, lost
        /// There was no call.
        case unused
    }

    package var counter: Counter {
        switch self {
        case .done, .moved, .snoozed: .answered
        case .retry: .retried
        case .rate, .quota: .limited
        case .failed: .failed
        case .lost: .lost
        case .released, .void: .unused
        }
    }

    /// The job ends with an answer, which may be "not found".
    package var hasAnswer: Bool { counter == .answered && self != .snoozed }

    /// The job ends, with an answer or as dead.
    package var endsJob: Bool { hasAnswer || counter == .failed }

    /// The provider works: it answered, or refused only this job.
    package var isWell: Bool { counter == .answered || counter == .failed }

    /// A call was made, as far as the outcome shows.
    package var isCall: Bool { counter != .unused }

    /// The call brought no answer: it failed, was refused or was lost.
    package var isTrouble: Bool { isCall && counter != .answered }

    /// The outcomes of calls that a worker reports.
    package static let reported = allCases.filter { $0.isCall && $0 != .lost }

    /// The names of outcomes, such as a statement needs that reads the log.
    package static func names(where isMeant: (Self) -> Bool) -> [String] { allCases.filter(isMeant).map(\.rawValue) }

    /// Reads the column `outcome` of the log.
    init(_ row: Row) throws { self = try Self(rawValue: row.read("outcome")) ?? .lost }
}
