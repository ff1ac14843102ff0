package import Postgres
package import Questions
package import Queue

/// A chain into which the lane of a new set belongs.
///
/// The lane is put after the gazetteer, which is cheaper, and before services on the network. For coordinates it is put
/// before the gazetteer, which answers each with a town. Points are put before regions. Only a chain that begins with the gazetteer, without conditions,
/// is changed: an operator who wrote another one wants something else.
package struct PointChain: Sendable {
    /// The chain with the lane.
    package let name: String
    package let plan: Chain
    /// False if the chain was left as it was.
    package let isChanged: Bool

    static func place(
        _ lane: String, by author: Author, on database: isolated Connection
    ) throws -> [PointChain] {
        let sets = try PointSetStore().sets(on: database)
        let lanes = Set(sets.map(\.name))
        let regions = Set(sets.filter(\.isRegion).map(\.name))
        return try ["default", "reverse"].compactMap { name in
            guard let known = try ChainStore().current(name, isLocked: true, on: database),
                !known.plan.links.contains(where: { $0.lane == lane })
            else { return nil }
            var plan = known.plan
            let points = plan.links.prefix { $0.isPlain && lanes.contains($0.lane) }.count
            let isUsual = points < plan.links.count && plan.links[points] == Chain.Link(gazetteer)
            var place =
                name == "reverse" || !isUsual
                ? points : plan.links.prefix { $0.isPlain && ($0.lane == gazetteer || lanes.contains($0.lane)) }.count
            // A national file has more houses than a map, and a region answers every coordinate in it.
            if !regions.contains(lane) {
                place = plan.links[..<place].firstIndex { regions.contains($0.lane) } ?? place
            }
            plan.links.insert(Chain.Link(lane), at: place)
            if isUsual {
                _ = try QuestionQueue().setChain(name, by: author, on: database) { _ in plan }
            }
            return PointChain(name: name, plan: plan, isChanged: isUsual)
        }
    }

    private static let gazetteer = "gazetteer"

    /// Takes a lane out of all chains. Returns the changed ones.
    static func remove(
        _ lane: String, by author: Author, on database: isolated Connection
    ) throws -> [PointChain] {
        try ChainStore().all(on: database).compactMap { chain in
            var plan = chain.plan
            plan.links.removeAll { $0.lane == lane }
            if plan.links == chain.plan.links { return nil }
            guard !plan.links.isEmpty else { throw OnlyLink(chain: chain.name, lane: lane) }
            _ = try QuestionQueue().setChain(chain.name, by: author, on: database) { _ in plan }
            return PointChain(name: chain.name, plan: plan, isChanged: true)
        }
    }

    /// A chain needs a lane.
    package struct OnlyLink: Error, CustomStringConvertible {
        let chain, lane: String

        package var description: String {
            "the chain \(chain) has only the lane \(lane); give it others with 'waypost chains set \(chain) LINK…' first"
        }
    }
}

extension PointSetStore {
    /// Deletes the points of a set and takes its lane out of all chains. Returns the changed chains.
    ///
    /// The lane and the row of the set stay. Questions that wait in the lane are answered that it has no place, and go on
    /// along their chains.
    package func drop(_ name: String, by author: Author, on database: Database) async throws -> [PointChain] {
        let (id, chains) = try await database.transaction { db in
            let dropped = try db.query(
                """
                UPDATE point_sets SET points = 0, streets = 0, dropped_at = now()
                WHERE name = \(name) AND is_current AND dropped_at IS NULL
                RETURNING id
                """)
            guard let set = dropped.first else { throw NoSuchPoints(name: name) }
            let chains = try PointChain.remove(name, by: author, on: db)
            try AuditLog().append(.dropPoints, name, by: author, on: db)
            try tellOfChange(in: name, on: db)
            return (try set.read("id", as: Int.self), chains)
        }
        try await PointTables(id: id).drop(on: database)
        return chains
    }
}

package struct NoSuchPoints: Error, CustomStringConvertible {
    let name: String

    package var description: String { "there are no points called \"\(name)\"; 'waypost points list' lists the sets" }
}
