import Tracking

/// The reason why a received fix is not kept. The raw values are stored and shown: never rename one.
package enum FixRefusal: String, Sendable, CaseIterable {
    // The first seven are the cases of FixProblem, with its raw values.
    case notOnEarth = "not_on_earth"
    case nullIsland = "null_island"
    case invalidAccuracy = "invalid_accuracy"
    case tooOld = "too_old"
    case inTheFuture = "in_the_future"
    case invalidWaitTime = "invalid_wait_time"
    case tooFast = "too_fast"
    /// A member is missing or has another type.
    case unreadable
    /// The phone reports that it measured nothing.
    case notValid = "not_valid"
    /// OwnTracks encrypted the message.
    case encrypted
    /// The tracker was off when the phone took the fix.
    case untracked
    /// The tracker is off.
    case off
    /// No tracker has this user.
    case noTracker = "no_tracker"

    init(_ problem: FixProblem) { self = Self(rawValue: problem.rawValue) ?? .unreadable }

    /// True if the reason is only that a person turned tracking off.
    package var isIntended: Bool { self == .untracked || self == .off }
}

extension TrackingRule {
    /// A fix with a time up to a day ahead is kept once that time has come. Phones with a wrong clock or time zone send
    /// such fixes. A time farther ahead is treated as wrong, so that it doesn't block a phone's queue.
    private static let longestLead = 86_400.0

    /// Returns in how many seconds a fix that is refused now will be kept; nil if never.
    func secondsUntilGood(_ fix: Fix, now: Double) -> Double? {
        let end = fix.timestamp + fix.waitTime
        let lead = end - Self.lead - now
        return lead > 0 && lead <= Self.longestLead && problem(of: fix, now: end) == nil ? lead : nil
    }
}
