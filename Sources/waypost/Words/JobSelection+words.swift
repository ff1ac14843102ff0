import Postgres
import Queue
import Terminal

extension JobSelection {
    /// Requires exactly one way to select jobs.
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
    /// The reason why a command can't be applied to a job.
    func refusal(_ id: Int, _ participle: String, subject: Int? = nil) async throws -> any Error {
        let job = try await database.run { [queue] in try queue.job(id, on: $0) }
        await close()
        guard let job else { return NoSuchJob(id: id) }
        return job.refusal(participle, subject: subject)
    }
}
