/// The wait of a job before its next call, as `sql/functions/retry_wait.sql` computes it. A test compares the two.
package struct RetryWait: Hashable, Sendable {
    /// By default those of a new lane.
    package var first: Duration
    package var longest: Duration

    package init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
        (self.first, self.longest) = (first, longest)
    }

    /// The longest wait of a job that failed this many times before. It waits a random share of it.
    package func bound(after failures: Int) -> Duration {
        min(longest, first * Double(1 << min(failures, 30)))
    }
}

extension LaneSettings {
    package var retryWait: RetryWait { RetryWait(first: firstRetry, longest: longestRetry) }
}
