package import Geocoding
package import Postgres
package import Queue

extension QuestionQueue {
    /// Gives the waiting ones of these questions the highest priority. Returns how many wait.
    package func hurry(_ hashes: [AddressHash], on database: isolated Connection) throws -> Int {
        let waiting = try geocodes.waiting(among: hashes, on: database)
        for question in waiting { try hurry(question.id, in: question.job, lane: question.lane, on: database) }
        return waiting.count
    }

    /// Gives one question of a waiting job the highest priority. Returns its new job; nil if that is not possible.
    package func hurry(subject: Int, of job: Int, on database: isolated Connection) throws -> QueuedJob? {
        guard let own = try jobs.hurry(subject: subject, of: job, on: database) else { return nil }
        try geocodes.move([(own.id, own.subjects)], on: database)
        return own
    }

    /// Puts a waiting question into a job of its own, with the highest priority.
    func hurry(_ question: Int, in job: Int?, lane: String?, on database: isolated Connection) throws {
        if let job {
            // Returns nil if a worker already holds the job.
            _ = try hurry(subject: question, of: job, on: database)
        } else if let lane {
            let queued = try jobs.enqueue([question], in: lane, priority: .now, on: database)
            try geocodes.move(queued.map { ($0.id, $0.subjects) }, on: database)
        }
    }
}
