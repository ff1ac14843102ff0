package import Geocoding
package import Postgres
import Questions

/// Asks what is at the places where users stayed, once for each cell of some fifty metres, however many stays and fixes
/// are in it.
package struct StayNaming: Sendable {
    package struct Summary: Hashable, Sendable {
        package var stays = 0
        /// The distinct cells of the stays.
        package var places = 0
        /// Cells that had not been asked before.
        package var asked = 0

        package init(stays: Int = 0, places: Int = 0, asked: Int = 0) {
            (self.stays, self.places, self.asked) = (stays, places, asked)
        }
    }

    private let database: Database
    private let account: Int
    private let chain: String
    /// Shorter stays count as movement, and are not asked.
    private let shortest: Duration

    /// The number of stays that one transaction reads.
    private static let pageSize = 5_000

    package init(database: Database, account: Int, chain: String = "reverse", shortest: Duration = .seconds(300)) {
        self.database = database
        self.account = account
        self.chain = chain
        self.shortest = shortest
    }

    /// Asks for all users of the account, or for one. Workers make the calls later, at the provider's pace.
    package func run(user: String? = nil, onProgress: (Summary) -> Void = { _ in }) async throws -> Summary {
        var summary = Summary()
        var seen: Set<CoordinateCell> = []
        var lastUser = ""
        while true {
            let trackers = try await database.run { [lastUser] db in
                try TrackerStore().trackers(account: account, user: user, after: lastUser, on: db)
            }
            guard let last = trackers.last else { return summary }
            lastUser = last.user
            for tracker in trackers { try await ask(of: tracker.user, &summary, &seen, onProgress) }
        }
    }

    private func ask(
        of user: String, _ summary: inout Summary, _ seen: inout Set<CoordinateCell>, _ onProgress: (Summary) -> Void
    ) async throws {
        var cursor: LocationCursor?
        repeat {
            let page = try await database.run { [cursor, shortest] db in
                try TrackerStore().locations(
                    of: user, after: cursor, lasting: shortest, limit: Self.pageSize, account: account, on: db)
            }
            let cells = Set(page.compactMap(\.cell))
            let new = cells.subtracting(seen)
            seen.formUnion(cells)
            summary.stays += page.count
            summary.places = seen.count
            summary.asked += try await Database.retrying(atMost: 4) { [database, chain] in
                try await database.transaction { try QuestionQueue().askWhatIsAt(new, along: chain, on: $0) }
            }
            onProgress(summary)
            cursor = page.count < Self.pageSize ? nil : page.last.map { .init(timestamp: $0.timestamp, id: $0.id) }
        } while cursor != nil
    }
}

extension StoredLocation {
    /// Nil for a place that is not on Earth; no stored location has such a place.
    fileprivate var cell: CoordinateCell? { Coordinate(latitude: lat, longitude: lng).map(CoordinateCell.init) }
}

extension TrackerStore {
    /// Returns the known places of these locations, in their order; nil for an unknown one.
    package func places(
        of locations: [StoredLocation], on database: isolated Connection
    ) throws -> [Placemark?] {
        let cells = locations.map(\.cell)
        let known = try GeocodeStore().places(at: Set(cells.compactMap(\.self)), on: database)
        return cells.map { cell in cell.flatMap { known[$0] } }
    }
}
