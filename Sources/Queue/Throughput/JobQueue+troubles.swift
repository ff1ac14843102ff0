package import Postgres

/// A call without an answer.
package struct CallTrouble: Sendable, Hashable {
    package let at: Duration
    package let lane: String
    /// Nil for a worker that is no longer registered.
    package let worker: String?
    package let outcome: CallOutcome
    /// Why the call failed; nil if it did not fail by itself. Contains nothing of an address.
    package let reason: String?
    package let took: Duration?
    package let subjects: Int
}

extension JobQueue {
    /// Returns the latest calls that failed recently, were refused or were lost, the newest first.
    package func troubles(_ limit: Int, on database: isolated Connection) throws -> [CallTrouble] {
        try database.query(
            """
            SELECT extract(epoch FROM calls.started_at) AS at, lanes.name AS lane, workers.name AS worker, outcome, reason,
                   took, subjects
            FROM calls
            JOIN lanes ON lanes.id = lane
            LEFT JOIN workers ON workers.id = worker
            WHERE calls.started_at > statement_timestamp() - recent_time()
              AND outcome = ANY (\(CallOutcome.names(where: \.isTrouble))::call_outcome[])
            ORDER BY calls.started_at DESC
            LIMIT \(limit)
            """
        ).map {
            try CallTrouble(
                at: $0.read("at"), lane: $0.read("lane"), worker: $0.readIfPresent("worker"),
                outcome: CallOutcome($0), reason: $0.readIfPresent("reason"), took: $0.readIfPresent("took"),
                subjects: $0.read("subjects"))
        }
    }
}
