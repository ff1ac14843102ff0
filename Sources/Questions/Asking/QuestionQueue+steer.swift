package import Postgres
package import Queue

/// Operations of a person on jobs and their questions. Large numbers are handled in pieces. The log contains one act
/// with the total number, written with the first piece.
extension QuestionQueue {
    package struct Retried: Sendable {
        package var revived = 0
        /// Dead jobs whose questions were all answered meanwhile.
        package var obsolete = 0
        package var hastened = 0
    }

    private static let piece = 1_000

    /// Queues dead jobs again, and makes waiting ones ready now.
    package func retry(
        _ selection: JobSelection, by author: Author, on database: some Transacting
    ) async throws -> Retried {
        var retried = Retried()
        retried.hastened = try await database.transaction(within: nil) { [jobs] db in
            let count = try jobs.count(selection, on: db)
            try keep(.retryJobs, selection, count.dead + count.delayed, by: author, on: db)
            return try jobs.hasten(selection, on: db)
        }
        while true {
            let (taken, revived) = try await database.transaction(within: nil) { [jobs, geocodes] db in
                let dead = try jobs.takeDead(selection, limit: Self.piece, on: db)
                let open = try geocodes.reopen(dead.ofQuestions.map { ($0.id, $0.subjects) }, on: db)
                let revived = try jobs.revive(dead.ofQuestions, carrying: open, on: db)
                let uploads = try jobs.revive(dead.uploads, carrying: Set(dead.uploads.flatMap(\.subjects)), on: db)
                return (dead.ofQuestions.count + dead.uploads.count, revived + uploads)
            }
            if taken == 0 { return retried }
            retried.revived += revived
            retried.obsolete += taken - revived
        }
    }

    /// Cancels waiting jobs: their questions become failed. Returns how many.
    package func cancel(
        _ selection: JobSelection, by author: Author, on database: some Transacting
    ) async throws -> Int {
        var cancelled = 0
        while true {
            let removed = try await database.transaction(within: nil) { [jobs, geocodes, cancelled] db in
                if cancelled == 0 {
                    try keep(.cancelJobs, selection, jobs.count(selection, on: db).waiting, by: author, on: db)
                }
                let removed = try jobs.cancel(selection, limit: Self.piece, on: db)
                // A shadow leaves nothing to retry.
                for (job, shadows) in try geocodes.cancel(removed.map { ($0.id, $0.subjects) }, on: db) {
                    try jobs.spare(shadows, fromDead: job, on: db)
                }
                return removed.count
            }
            if removed == 0 { return cancelled }
            cancelled += removed
        }
    }

    /// Calls ``hurry(subject:of:on:)``, and writes the act to the log.
    package func hurry(
        subject: Int, of job: Int, by author: Author, on database: isolated Connection
    ) throws -> QueuedJob? {
        guard let own = try hurry(subject: subject, of: job, on: database) else { return nil }
        try AuditLog().keep(.hurryJob, "\(job)", after: ["subject": "\(subject)"], by: author, on: database)
        return own
    }

    private func keep(
        _ verb: Act.Verb, _ selection: JobSelection, _ count: Int, by author: Author,
        on database: isolated Connection
    ) throws {
        // A single job that is ready already is not logged, because nothing visible changes.
        guard count > 0 else { return }
        try AuditLog().keep(verb, selection.target, after: selection.words(of: count), by: author, on: database)
    }
}
