import Geocoding
package import Postgres

/// The state of a question that still waits after a provider was called: the best place so far, and the next lane.
package struct PlaceSoFar: Sendable {
    /// The place that would be the answer if no other provider were called; nil if none is sure enough.
    package let place: Place?
    /// The lane in which the question waits.
    package let waitsFor: String

    /// `only the town was found; still waiting for nominatim`
    package var reason: String {
        [place.map(\.weakness) ?? "nobody has answered yet", "still waiting for \(waitsFor)"].compactMap(\.self)
            .joined(separator: "; ")
    }

    /// The columns of `geocodes` that ``init(_:)`` reads.
    package static let columns: SQL = """
        CASE WHEN status = 'waiting' THEN candidates::text END AS candidates_so_far,
        CASE WHEN status = 'waiting' AND candidates IS NOT NULL
             THEN (SELECT plan -> 'links' -> geocodes.link ->> 'lane' FROM chains WHERE chains.id = geocodes.chain) END AS waits_for,
        CASE WHEN status = 'waiting' AND candidates IS NOT NULL
             THEN (SELECT (plan ->> 'located')::float8 FROM chains WHERE chains.id = geocodes.chain) END AS located_from
        """

    /// Returns nil if the question does not wait, or no provider has answered yet.
    package init?(_ row: Row) throws {
        guard let candidates: String = try row.readIfPresent("candidates_so_far"),
            let lane: String = try row.readIfPresent("waits_for")
        else { return nil }
        waitsFor = lane
        place = try [Place](json: candidates)
            .answer(located: row.readIfPresent("located_from") ?? Thresholds().located)
    }
}
