package import Postgres

/// The results of a chain's questions at one of its lanes.
package struct LaneTally: Sendable, Equatable {
    package let lane: String
    /// The number of questions for which the lane was called.
    package let asked: Int
    /// Of these, the questions that it located as finely as asked, and those that it located more coarsely.
    package let resolved, weak: Int
    /// One call for each question and step.
    package let calls: Int

    package init(lane: String, asked: Int, resolved: Int, weak: Int, calls: Int) {
        self.lane = lane
        self.asked = asked
        self.resolved = resolved
        self.weak = weak
        self.calls = calls
    }
}

extension GeocodeStore {
    /// Counts the questions of a chain whose answers are stored, and their results at each lane that was called.
    /// Includes questions that went along former versions of the chain.
    ///
    /// The last call of a question is the one at its link. Earlier calls are in its trail, which also contains entries
    /// without a call.
    package func tallies(
        ofChain name: String, on database: isolated Connection
    ) throws -> (questions: Int, tallies: [LaneTally]) {
        let rows = try database.query(
            """
            WITH asked AS MATERIALIZED (
                SELECT geocodes.id, status, provider, is_weak, pinned_at IS NOT NULL AS is_pinned, trail,
                       plan -> 'links' -> link ->> 'lane' AS last_lane
                FROM geocodes
                JOIN chains ON chains.id = geocodes.chain
                WHERE chains.name = \(name) AND status NOT IN ('waiting', 'forgotten') AND account IS NULL
                  AND shared_from IS NULL
            ), attempts AS (
                SELECT id, lane, count(*) AS calls
                FROM (
                    SELECT id, call ->> 'lane' AS lane
                    FROM asked
                    CROSS JOIN LATERAL jsonb_array_elements(trail) AS call
                    WHERE call ->> 'result' NOT LIKE 'could not be called:%'
                      AND call ->> 'result' NOT LIKE 'refused: % does not cover that country'
                    UNION ALL
                    SELECT id, last_lane FROM asked WHERE status <> 'failed'
                ) AS each_call
                GROUP BY id, lane
            )
            SELECT NULL AS lane, count(*) AS asked, 0 AS calls, 0 AS resolved, 0 AS weak FROM asked
            UNION ALL
            SELECT lane, count(*) AS asked, sum(calls)::bigint AS calls,
                   count(*) FILTER (WHERE is_answer AND NOT is_weak) AS resolved,
                   count(*) FILTER (WHERE is_answer AND is_weak) AS weak
            FROM (
                SELECT lane, calls, is_weak, status = 'located' AND provider = lane AND NOT is_pinned AS is_answer
                FROM attempts
                JOIN asked USING (id)
            ) AS called
            GROUP BY lane
            """)
        var (questions, tallies) = (0, [LaneTally]())
        for row in rows {
            guard let lane = try row.readIfPresent("lane", as: String.self) else {
                questions = try row.read("asked")
                continue
            }
            tallies.append(
                LaneTally(
                    lane: lane, asked: try row.read("asked"), resolved: try row.read("resolved"),
                    weak: try row.read("weak"), calls: try row.read("calls")))
        }
        return (questions, tallies)
    }
}
