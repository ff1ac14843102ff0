package import Postgres

extension GeocodeStore {
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
