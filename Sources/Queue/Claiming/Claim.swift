import Postgres

/// The result of a claim: jobs with their slots, and when to claim again.
package struct Claim: Sendable {
    package let jobs: [Job]

    /// The database's clock during the claim, since 1970.
    package let toldAt: Duration

    /// A call that takes longer has failed.
    package let callLimit: Duration

    /// The reason why there are not more jobs; nil if the worker had no room for more.
    package let obstacle: Obstacle?

    /// When to claim again; nil to wait for a notification.
    package let lookIn: Duration?

    /// The place in the lane's order where the next claim may begin: no ready job is before it.
    package let hint: String?

    /// How many workers share the claims that one would make; 1 if all should work.
    package let crowd: Double
}

extension Claim {
    /// The last row of `claim_jobs` has no job; it has all other values.
    init(_ rows: Rows) throws {
        jobs = try rows.dropLast().map(Job.init)
        let last = rows[rows.endIndex - 1]
        toldAt = try last.read("told_at")
        callLimit = try last.read("call_limit")
        obstacle = try last.readIfPresent("obstacle").flatMap(Obstacle.init(rawValue:))
        lookIn = try last.readIfPresent("look_in")
        hint = try last.readIfPresent("next_hint")
        crowd = try last.readIfPresent("crowd") ?? 1
    }
}

/// The reason why a claim returned fewer jobs than the worker had room for.
package enum Obstacle: String, Sendable, CaseIterable {
    /// No job waits at all.
    case empty
    /// Jobs wait for their time to come.
    case scheduled
    /// The limits permit no more for now.
    case tokens
    /// As many calls are under way as the lane permits at once.
    case full
    /// The provider asked for a pause, or the breaker is open.
    case blocked
    /// A person paused the lane.
    case paused
    /// The database is a copy of the cluster's own.
    case copied
    /// A person asked this worker to claim no more jobs.
    case quiet
    /// The database's clock is not as the worker expects: it was set, or the claim took long to arrive.
    case clock
    /// The worker's uncertainty of the database's clock is too large for slots, because the worker is far from the
    /// database.
    case tooFar = "too far"
    /// The worker was taken for dead and is no longer registered.
    case struckOff = "struck off"
}
