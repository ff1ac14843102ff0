/// One thing that was checked, its state, and what to do about it.
package struct Finding: Sendable, Equatable {
    package enum Verdict: String, Sendable, Comparable, CaseIterable {
        case ok
        /// Nothing has stopped, but something may soon.
        case warning
        /// Work has stopped, or is about to.
        case problem

        package static func < (a: Self, b: Self) -> Bool {
            allCases.firstIndex(of: a) ?? 0 < allCases.firstIndex(of: b) ?? 0
        }
    }

    /// The name of the check: `clock`.
    package let check: String
    package let verdict: Verdict
    package let text: String

    /// The cause; nil if nothing is wrong.
    package let cause: Cause?

    /// The cause. The program maps it to the command that repairs it.
    package enum Cause: Sendable, Equatable {
        case noLeader
        /// Jobs wait in a lane that no worker serves.
        case noWorker
        case pausedLane(String)
        /// The lane stays stopped until a person repairs the cause and resumes it.
        case stoppedLane(String)
        /// The lane opens by itself later.
        case blockedLane(String)
        case lateCalls(lane: String)
        case failingCalls(lane: String)
        /// The provider refuses calls as too fast.
        case tooFast(lane: String)
        /// A cause outside the program, and the remedy.
        case outside(remedy: String)
    }

    package static func ok(_ check: String, _ text: String) -> Self {
        Self(check: check, verdict: .ok, text: text, cause: nil)
    }

    package static func warning(_ check: String, _ text: String, _ cause: Cause) -> Self {
        Self(check: check, verdict: .warning, text: text, cause: cause)
    }

    package static func problem(_ check: String, _ text: String, _ cause: Cause) -> Self {
        Self(check: check, verdict: .problem, text: text, cause: cause)
    }

    package static func warning(_ check: String, _ text: String, _ remedy: String) -> Self {
        warning(check, text, .outside(remedy: remedy))
    }

    package static func problem(_ check: String, _ text: String, _ remedy: String) -> Self {
        problem(check, text, .outside(remedy: remedy))
    }
}
