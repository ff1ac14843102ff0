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

    /// What was looked at: `clock`.
    package let check: String
    package let verdict: Verdict
    package let text: String

    /// What helps; nil when nothing is wrong.
    package let remedy: String?

    package static func ok(_ check: String, _ text: String) -> Self {
        Self(check: check, verdict: .ok, text: text, remedy: nil)
    }

    package static func warning(_ check: String, _ text: String, _ remedy: String) -> Self {
        Self(check: check, verdict: .warning, text: text, remedy: remedy)
    }

    package static func problem(_ check: String, _ text: String, _ remedy: String) -> Self {
        Self(check: check, verdict: .problem, text: text, remedy: remedy)
    }
}
