import Geocodes
import Geocoding
package import Postgres
import Queue

/// What a person wants to see now, one transaction each.
extension Intake {
    /// Puts what waits of one friend's addresses before all that nobody is waiting for. Returns how many questions that
    /// are; nil when there is no such friend.
    package func hurry(friend: Int, account: Int, on database: isolated Connection) throws -> Int? {
        try database.transaction { database in
            guard try isThere(friend, account: account, on: database) else { return nil }
            return try hurryWhatWaits(of: friend, on: database)
        }
    }

    /// Asks again, before all others, for those of a friend's addresses that failed, were not found or had to be
    /// forgotten. Returns how many questions that are; nil when there is no such friend.
    package func retry(friend: Int, account: Int, on database: isolated Connection) throws -> Int? {
        try database.transaction { database -> Int? in
            guard try isThere(friend, account: account, on: database) else { return nil }
            let owner = try owner(account, on: database)
            let questions = try database.query(
                """
                SELECT hash, street, city, region, postcode, country
                FROM addresses
                WHERE friend = \(friend) AND hash IS NOT NULL
                """
            ).compactMap { row -> (hash: AddressHash, address: Address)? in
                let hash = try AddressHash(bytes: row.read("hash", as: Bytes.self).bytes)
                return try hash.map { (hash: $0, address: try Address(row)) }
            }
            let again = try geocodes.askAgain(
                questions, along: chain(owner.chain, on: database), insisting: true, on: database)
            _ = try hurryWhatWaits(of: friend, on: database)
            return again
        }
    }

    private func hurryWhatWaits(of friend: Int, on database: isolated Connection) throws -> Int {
        // crosses rooms: an address has a question only through its hash, and the chain knows in which lane it waits.
        let rows = try database.query(
            """
            SELECT DISTINCT geocodes.id, job, plan->'links'->link->>'lane' AS lane
            FROM addresses
            JOIN geocodes ON geocodes.hash = addresses.hash
            JOIN chains ON chains.id = geocodes.chain
            WHERE friend = \(friend) AND status = 'waiting'
            ORDER BY geocodes.id
            """)
        for row in rows {
            try hurry(
                row.read("id"), in: row.readIfPresent("job"), lane: row.readIfPresent("lane"), on: database)
        }
        return rows.count
    }

    /// Puts a question that waits into a job of its own, before all that nobody is waiting for.
    func hurry(_ question: Int, in job: Int?, lane: String?, on database: isolated Connection) throws {
        if let job {
            // Nil where a worker has it already.
            guard let own = try queue.hurry(subject: question, of: job, on: database) else { return }
            try geocodes.move([(own.id, own.subjects)], on: database)
        } else if let lane {
            let jobs = try queue.enqueue([question], in: lane, priority: .now, on: database)
            try geocodes.move(jobs.map { ($0.id, $0.subjects) }, on: database)
        }
    }

    private func isThere(_ friend: Int, account: Int, on database: isolated Connection) throws -> Bool {
        let rows = try database.query(
            "SELECT FROM friends WHERE id = \(friend) AND account = \(account)::integer AND deleted_at IS NULL")
        return rows.count == 1
    }
}
