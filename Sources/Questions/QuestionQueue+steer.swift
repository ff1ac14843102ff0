import Geocodes
package import Postgres
package import Queue

/// What a person does to jobs, and so to the questions in them. Large numbers are done in pieces, so that no lock is held
/// for long, and what was done stays done.
extension QuestionQueue {
    package struct Retried: Sendable {
        package var revived = 0
        /// Dead jobs whose questions were all answered meanwhile.
        package var obsolete = 0
        package var hastened = 0
    }

    private static let piece = 1_000

    /// Queues dead jobs again, and makes waiting ones ready now.
    package func retry(_ selection: JobSelection, on database: Database) async throws -> Retried {
        var retried = Retried()
        retried.hastened = try await database.transaction { [jobs] in try jobs.hasten(selection, on: $0) }
        while true {
            let (taken, revived) = try await database.transaction { [jobs, geocodes] db in
                let dead = try jobs.takeDead(selection, limit: Self.piece, on: db)
                let open = try geocodes.reopen(dead.map { ($0.id, $0.subjects) }, on: db)
                return (dead.count, try jobs.revive(dead, carrying: open, on: db))
            }
            if taken == 0 { return retried }
            retried.revived += revived
            retried.obsolete += taken - revived
        }
    }

    /// Cancels waiting jobs: their questions become failed. Returns how many.
    package func cancel(_ selection: JobSelection, on database: Database) async throws -> Int {
        var cancelled = 0
        while true {
            let removed = try await database.transaction { [jobs, geocodes] db in
                let removed = try jobs.cancel(selection, limit: Self.piece, on: db)
                try geocodes.cancel(removed.map { ($0.id, $0.subjects) }, on: db)
                return removed.count
            }
            if removed == 0 { return cancelled }
            cancelled += removed
        }
    }
}
