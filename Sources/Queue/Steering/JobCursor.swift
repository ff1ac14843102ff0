import Processes

/// The place where a page of jobs ended. The client of the next page sends its text.
package struct JobCursor: Sendable, Hashable {
    let kind: JobState.Kind
    let lane: String
    let priority: Int
    /// In microseconds since 1970.
    let moment: Int
    let id: Int

    /// The moments of PostgreSQL that a `Duration` of a row can have.
    private static let moments = -200_000_000_000_000_000...9_000_000_000_000_000_000

    package init(after job: JobState) {
        kind = job.kind
        lane = job.lane
        priority = job.priority
        moment = Int(job.moment.clampedMicroseconds)
        id = job.id
    }

    /// Reads the format of ``text``.
    package init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let kind = JobState.Kind(rawValue: String(parts[0])), let priority = Int(parts[1]),
            let moment = Int(parts[2]), let id = Int(parts[3]), (0...3).contains(priority),
            Self.moments.contains(moment), id > 0
        else { return nil }
        (self.kind, self.priority, self.moment, self.id, lane) = (kind, priority, moment, id, String(parts[4]))
    }

    package var text: String { "\(kind.rawValue).\(priority).\(moment).\(id).\(lane)" }
}
