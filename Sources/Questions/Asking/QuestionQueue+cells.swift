package import Geocoding
package import Postgres
import Queue

extension QuestionQueue {
    /// Asks what is at each of these cells, as background work behind everything that a person waits for. A cell that
    /// was asked before costs nothing. Returns how many were new.
    ///
    /// They are enqueued in full batches, all in the same few statements.
    package func askWhatIsAt(
        _ cells: Set<CoordinateCell>, along name: String, on database: isolated Connection
    ) throws -> Int {
        let chain = try chain(name, on: database)
        let new = try geocodes.unasked(among: cells.sorted { $0.hash < $1.hash }, on: database)
        guard let first = new.first else { return 0 }
        let link = chain.plan.start(of: .coordinate(first.centre))
        let lane = chain.plan.links[link].lane
        let reserved = try jobs.reserve(forAtMost: new.count, in: lane, on: database)
        let asked = try geocodes.ask(
            new, along: chain, in: ReservedJobs(link: link, jobs: reserved.jobs, batch: reserved.batch), on: database)
        try jobs.enqueue(
            asked.compactMap { asked in asked.job.map { (job: $0, subject: asked.id) } }, in: lane, priority: .idle,
            on: database)
        return asked.count
    }
}
