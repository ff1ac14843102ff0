/// The reason why an action on a job is impossible.
package struct UnsuitableJob: Error, CustomStringConvertible {
    package enum Obstacle: Sendable {
        case held, dead, waiting, otherSubject
    }

    package let job: Int
    package let obstacle: Obstacle
    package let description: String
}

extension JobState {
    /// The error for a job that can't be `participle`: retried, cancelled, discarded or hurried.
    package func refusal(_ participle: String, subject: Int? = nil) -> UnsuitableJob {
        let (obstacle, reason): (UnsuitableJob.Obstacle, String) =
            switch kind {
            case .held: (.held, "\(worker?.text ?? "a worker") holds it, and its call may be under way; let it end")
            case .dead: (.dead, "it is dead")
            case .ready, .later:
                if let subject, !subjects.contains(subject) {
                    (.otherSubject, "it doesn't carry \(subject)")
                } else {
                    (.waiting, "it waits, and only dead jobs can be")
                }
            }
        return UnsuitableJob(
            job: id, obstacle: obstacle, description: "job \(id) can't be \(participle): \(reason)")
    }
}
