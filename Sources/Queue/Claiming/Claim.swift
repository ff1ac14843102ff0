import Postgres

/// What a worker was given when it asked a lane for jobs.
package struct Claim: Sendable {
    package let jobs: [Job]

    /// What the database's clock showed between question and answer, since 1970.
    package let toldAt: Duration

    /// A call that takes longer has failed.
    package let callLimit: Duration

    /// Why there are not more jobs; nil when there was no room for more.
    package let obstacle: Obstacle?

    /// When it makes sense to ask again; nil when only a notification will tell.
    package let lookIn: Duration?

    /// Where the next claim may begin to look: the place in the lane's order before which nothing was left.
    package let hint: String?

    /// The last row of `claim_jobs` has no job, and all the rest.
    init(_ rows: Rows) throws {
        jobs = try rows.dropLast().map(Job.init)
        let last = rows[rows.endIndex - 1]
        toldAt = try last.read("told_at")
        callLimit = try last.read("call_limit")
        obstacle = try last.readIfPresent("obstacle").flatMap(Obstacle.init(rawValue:))
        lookIn = try last.readIfPresent("look_in")
        hint = try last.readIfPresent("next_hint")
    }
}

/// What kept a claim from filling the worker's room.
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
    /// A person asked this worker to take no more.
    case quiet
    /// The database's clock is not where the worker expects it: it was set, or the question took long to arrive.
    case clock
    /// The worker is so far from the database that it doesn't know when its slots come.
    case tooFar = "too far"
    /// The worker was taken for dead.
    case struckOff = "struck off"
}
