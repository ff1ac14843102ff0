package import Geocodes
import Geocoding
package import Postgres
import Queue

extension Intake {
    /// Asks one question before all others, and returns its number. Known answers cost nothing.
    package func askNow(
        _ subject: Inquiry.Subject, along name: String, on database: isolated Connection
    ) throws -> Int {
        let chain = try chain(name, on: database)
        let hash: AddressHash
        switch subject {
        case .address(let address):
            hash = AddressHash(address)
            _ = try geocodes.ask([(hash, address)], along: chain, on: database)
            _ = try geocodes.askAgain([(hash, address)], along: chain, on: database)
        case .coordinate(let coordinate):
            hash = try geocodes.askWhatIsAt([coordinate], along: chain, on: database)[0]
        }
        guard let known = try geocodes.standing(hash, on: database) else {
            preconditionFailure("a question that was just asked is there")
        }
        if known.status == .waiting { try hurry(known, subject, along: chain, on: database) }
        return known.id
    }

    /// Puts a question that waits into a job of its own, before all that nobody is waiting for.
    private func hurry(
        _ known: QuestionStanding, _ subject: Inquiry.Subject, along chain: StoredChain,
        on database: isolated Connection
    ) throws {
        if let job = known.job {
            // Nil where a worker has it already.
            guard let own = try queue.hurry(subject: known.id, of: job, on: database) else { return }
            try geocodes.move([(own.id, own.subjects)], on: database)
        } else {
            let lane = chain.plan.links[chain.plan.start(of: subject)].lane
            let jobs = try queue.enqueue([known.id], in: lane, priority: .now, on: database)
            try geocodes.move(jobs.map { ($0.id, $0.subjects) }, on: database)
        }
    }
}
