package import Queue

/// The reason why an action on a job is impossible.
package struct UnsuitableJob: Error, CustomStringConvertible {
    package let description: String
}

extension JobState {
    /// The error for a job that can't be `participle`: retried, cancelled, discarded or hurried.
    package func refusal(_ participle: String, subject: Int? = nil) -> UnsuitableJob {
        UnsuitableJob(description: "job \(id) can't be \(participle): " + obstacle(subject))
    }

    private func obstacle(_ subject: Int?) -> String {
        switch kind {
        case .held:
            return "\(worker?.text ?? "a worker") holds it, and its call may be under way; let it end"
        case .dead:
            return "it is dead; 'waypost jobs retry \(id)' enqueues it again, 'waypost jobs discard \(id)' forgets it"
        case .ready, .later:
            if let subject, !subjects.contains(subject) { return "it doesn't carry \(subject)" }
            return "it waits, and only dead jobs can be; 'waypost jobs cancel \(id)' gives it up"
        }
    }
}
