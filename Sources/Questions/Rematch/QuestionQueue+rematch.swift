package import Postgres
package import Queue

extension QuestionQueue {
    /// Asks answered questions again, from the beginning of a chain, while their answers stay. Each is given with the
    /// code of its country. Returns how many it asked: questions that wait, that are being asked again already, or that
    /// a person decided are skipped.
    package func askAnew(
        _ questions: [(id: Int, country: String?)], along name: String, priority: Priority,
        on database: isolated Connection
    ) throws -> Int {
        let chain = try chain(name, on: database)
        let starts = Dictionary(grouping: questions) { chain.plan.start(inCountry: $0.country) }
        var count = 0
        for (link, own) in starts.sorted(by: { $0.key < $1.key }) {
            let lane = chain.plan.links[link].lane
            let reserved = try jobs.reserve(forAtMost: own.count, in: lane, on: database)
            let asked = try geocodes.askAnew(
                own.enumerated().map { (id: $1.id, job: reserved.jobs[$0 / reserved.batch]) }, along: chain, from: link,
                on: database)
            try jobs.enqueue(asked.map { (job: $0.job, subject: $0.id) }, in: lane, priority: priority, on: database)
            count += asked.count
        }
        return count
    }
}
