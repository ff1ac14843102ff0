package import Geocodes
import Geocoding
package import Postgres

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
        if known.status == .waiting {
            let lane = chain.plan.links[chain.plan.start(of: subject)].lane
            try hurry(known.id, in: known.job, lane: lane, on: database)
        }
        return known.id
    }
}
