package import Postgres
package import Queue

/// The value of each lane of a chain: how many questions it was called for, how many it located, and the cost.
///
/// Counts only questions whose answers are stored. Calls repeated after a fault, and calls for answers that were
/// deleted or have expired since then, are not known.
package struct ChainReport: Sendable {
    package struct Link: Sendable {
        package let lane: String
        /// The number of questions for which the lane was called.
        package var asked = 0
        /// Of these, the questions that it located as finely as asked, and those that it located more coarsely.
        package var resolved = 0
        package var weak = 0
        /// One call for each question and step.
        package var calls = 0
        /// Its present price, and the cost of the calls at that price if each had a full batch; nil if no price was
        /// set.
        package var price: Price?
        package var cost: Double?

        /// The share that it located, weak ones included, of the questions for which it was called; nil if there were
        /// none.
        package var share: Double? { asked > 0 ? Double(resolved + weak) / Double(asked) : nil }
    }

    package let chain: String
    package var questions = 0
    /// In the order of the present chain, followed by the lanes of former versions.
    package var links: [Link] = []
}

extension QuestionQueue {
    package func report(on chain: StoredChain, on database: isolated Connection) throws -> ChainReport {
        var report = ChainReport(chain: chain.name)
        for lane in chain.plan.links.map(\.lane) where !report.links.contains(where: { $0.lane == lane }) {
            report.links.append(ChainReport.Link(lane: lane))
        }
        let lanes = try jobs.lanes(on: database).map(\.outlook)
        for row in try geocodes.calls(ofChain: chain.name, on: database) {
            guard let lane = try row.readIfPresent("lane", as: String.self) else {
                report.questions = try row.read("asked")
                continue
            }
            let index = report.links.firstIndex { $0.lane == lane } ?? report.links.endIndex
            if index == report.links.endIndex { report.links.append(ChainReport.Link(lane: lane)) }
            report.links[index].asked = try row.read("asked")
            report.links[index].resolved = try row.read("resolved")
            report.links[index].weak = try row.read("weak")
            report.links[index].calls = try row.read("calls")
        }
        for index in report.links.indices {
            guard let lane = lanes.first(where: { $0.lane == report.links[index].lane }) else { continue }
            report.links[index].price = lane.price
            report.links[index].cost = lane.price?.cost(of: (report.links[index].calls + lane.batch - 1) / lane.batch)
        }
        return report
    }
}

extension GeocodeStore {
    /// Counts the questions of a chain whose answers are stored, and their results at each lane that was called.
    /// Includes questions that went along former versions of the chain. The row without a lane counts all of them.
    ///
    /// The last call of a question is the one at its link. Earlier calls are in its trail, which also contains entries
    /// without a call.
    fileprivate func calls(ofChain name: String, on database: isolated Connection) throws -> Rows {
        try database.query(
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
            (SELECT lane, count(*) AS asked, sum(calls)::bigint AS calls,
                    count(*) FILTER (WHERE is_answer AND NOT is_weak) AS resolved,
                    count(*) FILTER (WHERE is_answer AND is_weak) AS weak
             FROM (
                 SELECT lane, calls, is_weak, status = 'located' AND provider = lane AND NOT is_pinned AS is_answer
                 FROM attempts
                 JOIN asked USING (id)
             ) AS called
             GROUP BY lane
             ORDER BY lane COLLATE "C")
            """)
    }

    /// Returns how recent questions of a chain were answered: the lanes of their calls, in order. Reads the trails of
    /// the `latest` questions of all chains, so that it stays fast.
    package func ways(along chain: StoredChain, latest: Int, on database: isolated Connection) throws -> [[String]] {
        let rows = try database.query(
            """
            SELECT ARRAY(
                       SELECT stretch->>'lane'
                       FROM jsonb_array_elements(coalesce(trail, '[]')) WITH ORDINALITY AS stretches (stretch, place)
                       WHERE stretch->>'result' NOT LIKE 'could not be called:%'
                       ORDER BY place
                   ) AS before, link
            FROM geocodes
            WHERE id > (SELECT max(id) FROM geocodes) - \(latest)::bigint
              AND chain = \(chain.id)
              AND status IN ('located', 'not_found', 'needs_review')
              -- Leaves out answers without a call: shared answers, pins, and positions from contacts.
              AND shared_from IS NULL AND pinned_at IS NULL AND provider <> 'contact'
            """)
        return try rows.compactMap { row in
            let link: Int = try row.read("link")
            guard chain.plan.links.indices.contains(link) else { return nil }
            return try row.read("before", as: [String].self) + [chain.plan.links[link].lane]
        }
    }
}
