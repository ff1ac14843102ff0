package import Geocodes
import Geocoding
package import Postgres
package import Queue

/// Takes contacts in, and sees that each new address is asked for.
///
/// A contact, its addresses, their hashes and the jobs to come are one transaction: no crash leaves
/// an address that nobody will ever look up.
package struct Intake: Sendable {
    let geocodes: GeocodeStore
    let queue: JobQueue

    package init(geocodes: GeocodeStore = GeocodeStore(), queue: JobQueue) {
        self.geocodes = geocodes
        self.queue = queue
    }

    /// The number of the account with this name, which is opened if there is none.
    package func account(named name: String, on database: isolated Connection) throws -> Int {
        try database.query("INSERT INTO accounts (name) VALUES (\(name)) ON CONFLICT DO NOTHING")
        return try database.query("SELECT id FROM accounts WHERE name = \(name)")[0].read("id")
    }

    /// Lets an account's addresses be asked for along another chain from now on. False when there is no such account.
    package func use(chain: String, for account: String, on database: isolated Connection) throws -> Bool {
        try database.query("UPDATE accounts SET chain = \(chain) WHERE name = \(account)").affected > 0
    }

    /// Asks for each address that nobody has asked for before, and queues it. Returns how many were new.
    func ask(
        _ questions: [Question], along chain: String, on database: isolated Connection
    ) throws -> Int {
        let chain = try self.chain(chain, on: database)
        let starts = chain.plan.starts(of: questions.map(\.address))
        let reserved = try starts.map { (link, count) in
            let jobs = try queue.reserve(forAtMost: count, in: chain.plan.links[link].lane, on: database)
            return ReservedJobs(link: link, jobs: jobs.jobs, batch: jobs.batch)
        }
        let asked = try geocodes.ask(questions, along: chain, in: reserved, on: database)
        for (link, _) in starts {
            let queued = asked.filter { $0.link == link }
            try queue.enqueue(
                queued.compactMap { asked in asked.job.map { (job: $0, subject: asked.id) } },
                in: chain.plan.links[link].lane, on: database)
        }
        let new = Set(asked.map(\.hash))
        let known = questions.filter { !new.contains($0.hash) }.map { (hash: $0.hash, address: $0.address) }
        return try asked.count + geocodes.askAgain(known, along: chain, on: database)
    }

    /// The lanes in which an account's addresses are asked for.
    package func lanes(of account: String, on database: isolated Connection) throws -> Set<String> {
        let name = try database.query("SELECT chain FROM accounts WHERE name = \(account)").first
            .map { try $0.read("chain", as: String.self) }
        return Set(try chain(name ?? "default", on: database).plan.links.map(\.lane))
    }

    func chain(_ name: String, on database: isolated Connection) throws -> StoredChain {
        guard let chain = try ChainStore().current(name, on: database) else {
            throw ChainError("there is no chain called \"\(name)\"; 'waypost chains list' shows those there are")
        }
        return chain
    }
}
