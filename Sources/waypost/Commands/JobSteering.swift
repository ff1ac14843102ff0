import Geocodes
import Postgres
import Queue

/// A job and its questions change together, so both rooms' parts are put into one transaction here.
extension Application {
    struct Retried: Sendable {
        var revived = 0
        /// Dead jobs whose questions were all answered meanwhile.
        var obsolete = 0
        var hastened = 0
    }

    /// Large numbers go in pieces: nobody waits long for a lock, and what was done stays done.
    private static let piece = 1_000

    /// Queues dead jobs again, and makes waiting ones ready now.
    func retry(_ selection: JobSelection) async throws -> Retried {
        var retried = Retried()
        retried.hastened = try await database.transaction { [queue] in try queue.hasten(selection, on: $0) }
        while true {
            let (taken, revived) = try await database.transaction { [queue, geocodes] db in
                let dead = try queue.takeDead(selection, limit: Self.piece, on: db)
                let open = try geocodes.reopen(dead.map { ($0.id, $0.subjects) }, on: db)
                return (dead.count, try queue.revive(dead, carrying: open, on: db))
            }
            if taken == 0 { return retried }
            retried.revived += revived
            retried.obsolete += taken - revived
        }
    }

    /// Removes waiting jobs, and gives their questions up. Returns how many.
    func cancel(_ selection: JobSelection) async throws -> Int {
        var cancelled = 0
        while true {
            let jobs = try await database.transaction { [queue, geocodes] db in
                let jobs = try queue.cancel(selection, limit: Self.piece, on: db)
                try geocodes.cancel(jobs.map { ($0.id, $0.subjects) }, on: db)
                return jobs.count
            }
            if jobs == 0 { return cancelled }
            cancelled += jobs
        }
    }

    func discard(_ selection: JobSelection) async throws -> Int {
        try await database.transaction { [queue] in try queue.discard(selection, on: $0) }
    }

    /// Puts one subject of a waiting job before all others. Returns the job that carries it now; nil when it
    /// can't.
    func hurry(subject: Int, of job: Int) async throws -> QueuedJob? {
        try await database.transaction { [queue, geocodes] db in
            guard let own = try queue.hurry(subject: subject, of: job, on: db) else { return nil }
            try geocodes.move([(own.id, own.subjects)], on: db)
            return own
        }
    }
}
