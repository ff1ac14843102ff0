import Postgres
import Queue
import Sentences
import Terminal

extension JobSelection {
    /// Exactly one way to select jobs.
    init(id: Int?, lane: String?, reason: String?, all: Bool) throws(UsageError) {
        let isFiltered = lane != nil || reason != nil
        switch (id, isFiltered, all) {
        case (let id?, false, false): self = .job(id)
        case (nil, true, false): self = .all(lane: lane, reason: reason)
        case (nil, false, true): self = .all()
        case (nil, false, false): throw UsageError("give an ID, or --lane, --reason or --all")
        default: throw UsageError("an ID, a filter (--lane, --reason) and --all exclude each other; give one")
        }
    }
}

extension Application {
    /// Why a command can't be applied to a job.
    func refusal(_ id: Int, _ participle: String, subject: Int? = nil) async throws -> any Error {
        let job = try await database.run { [queue] in try queue.job(id, on: $0) }
        await database.close()
        guard let job else { return NoSuchJob(id: id) }
        return UnsuitableJob(job: job, participle: participle, subject: subject)
    }
}

private struct UnsuitableJob: Error, CustomStringConvertible {
    let job: JobState
    let participle: String
    let subject: Int?

    var description: String {
        let start = "job \(job.id) can't be \(participle):"
        switch job.kind {
        case .held:
            return "\(start) \(job.worker?.text ?? "a worker") holds it, and its call may be under way; let it end"
        case .dead:
            return
                "\(start) it is dead; 'waypost jobs retry \(job.id)' enqueues it again, 'waypost jobs discard \(job.id)' "
                + "forgets it"
        case .ready, .later:
            if let subject, !job.subjects.contains(subject) { return "\(start) it doesn't carry \(subject)" }
            return "\(start) it waits, and only dead jobs can be; 'waypost jobs cancel \(job.id)' removes it"
        }
    }
}
