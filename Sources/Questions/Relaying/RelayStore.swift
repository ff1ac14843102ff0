package import Geocoding
package import Postgres
import Queue

/// A request that is passed on to a Nominatim server as it is.
package struct RelayedRequest: Hashable, Sendable {
    /// The path and the sorted parameters.
    package let text: String

    package init(_ text: String) { self.text = text }

    package var hash: AddressHash { AddressHash(digestOf: "relay1\u{1F}\(text)") }
}

package enum RelayState: Sendable {
    case waiting(id: Int, job: Int?)
    case replied([UInt8])
    /// The server refused the request.
    case refused

    package var isOver: Bool { if case .waiting = self { false } else { true } }
}

/// Requests that are passed on, and their replies.
///
/// A row whose job is gone, because a person cancelled it or it died, waits for the next client that asks.
package struct RelayStore: Sendable {
    package static let lane = "nominatim"
    /// Maps change, so a reply is not kept for ever. A refusal may be a fault of the server.
    private static let lifetimes = (reply: Duration.seconds(30 * 86_400), refusal: Duration.seconds(600))

    private let jobs = JobQueue()

    package init() {}

    package func states(of hashes: [AddressHash], on database: isolated Connection) throws -> [AddressHash: RelayState]
    {
        let rows = try database.query(
            """
            SELECT hash, id, job, reply, expires_at IS NOT NULL AS is_over
            FROM relayed_replies
            WHERE hash = ANY (\(hashes)) AND (expires_at IS NULL OR expires_at > now())
            """)
        return try rows.reduce(into: [:]) { states, row in
            let reply = try row.readIfPresent("reply", as: Bytes.self).map { RelayState.replied($0.bytes) }
            let waiting = try RelayState.waiting(id: row.read("id"), job: row.readIfPresent("job"))
            states[try row.read("hash")] = try reply ?? (row.read("is_over") ? .refused : waiting)
        }
    }

    /// Asks those of the requests that have no reply and no job. A client waits for all of them.
    package func ask(_ requests: Set<RelayedRequest>, on database: isolated Connection) throws {
        let known = try states(of: requests.map(\.hash), on: database)
        var unasked: [RelayedRequest] = []
        for request in requests.sorted(by: { $0.hash < $1.hash }) {
            switch known[request.hash] {
            case .waiting(_, let job?):
                // A job that can't be hurried is held by a worker, or is gone.
                if try !jobs.hurry(job, on: database) { unasked.append(request) }
            case .replied, .refused: break
            default: unasked.append(request)
            }
        }
        guard !unasked.isEmpty else { return }
        let hashes = unasked.map(\.hash)
        try database.query(
            """
            INSERT INTO relayed_replies (hash, request)
            SELECT hash, request FROM unnest(\(hashes), \(unasked.map(\.text))) AS asked (hash, request)
            ON CONFLICT (hash) DO NOTHING
            """)
        // Another transaction may be asking the same: its job can be seen only after the lock.
        try database.query("SELECT FROM relayed_replies WHERE hash = ANY (\(hashes)) ORDER BY hash FOR UPDATE")
        // crosses rooms: a job that died or was cancelled does not say so here.
        let idle: [Int] = try database.query(
            """
            SELECT id
            FROM relayed_replies
            WHERE hash = ANY (\(hashes))
              AND CASE WHEN expires_at IS NULL THEN NOT EXISTS (SELECT FROM jobs WHERE jobs.id = job) ELSE expires_at <= now() END
            ORDER BY id
            """
        ).map { try $0.read("id") }
        let own = try idle.map {
            (job: try jobs.reserve(forAtMost: 1, in: Self.lane, on: database).jobs[0], subject: $0)
        }
        try database.query(
            """
            UPDATE relayed_replies
            SET job = own.job, reply = NULL, expires_at = NULL
            FROM unnest(\(own.map(\.subject)), \(own.map(\.job))) AS own (id, job)
            WHERE relayed_replies.id = own.id
            """)
        try jobs.enqueue(own, in: Self.lane, priority: .now, on: database)
    }

    /// The requests of jobs that still wait in exactly that job.
    func requests(of jobs: [Int], on database: isolated Connection) throws -> [Int: RelayedRequest] {
        try database.query(
            "SELECT job, request FROM relayed_replies WHERE job = ANY (\(jobs)) AND expires_at IS NULL"
        ).reduce(into: [:]) { try $0[$1.read("job")] = RelayedRequest($1.read("request")) }
    }

    /// Stores the reply to the request of a job that has ended; nil if it was refused.
    func store(_ reply: [UInt8]?, of job: Int, on database: isolated Connection) throws {
        let lifetime = reply == nil ? Self.lifetimes.refusal : Self.lifetimes.reply
        try database.query(
            """
            UPDATE relayed_replies
            SET reply = \(reply.map(Bytes.init)), expires_at = now() + \(lifetime)::interval
            WHERE job = \(job) AND expires_at IS NULL
            """)
    }

    /// Deletes expired replies, and requests whose job is gone. Returns how many.
    package func expire(_ limit: Int, on database: isolated Connection) throws -> Int {
        // crosses rooms: only the jobs show which requests still wait.
        try database.query(
            """
            DELETE FROM relayed_replies
            WHERE id IN (
                SELECT id
                FROM relayed_replies
                WHERE expires_at <= now()
                   OR expires_at IS NULL AND NOT EXISTS (SELECT FROM jobs WHERE jobs.id = job)
                ORDER BY id
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED)
            """
        ).affected
    }
}
