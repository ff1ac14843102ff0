import DatabaseTesting
import Locations
import Postgres
import Tracking

func openAccount() async throws -> Int {
    try await Database.test.run {
        try $0.query("INSERT INTO accounts (name) VALUES ('app') RETURNING id")[0].read("id")
    }
}

func recorded(_ fixes: [UserFix], _ account: Int, on database: isolated Connection) throws -> [FixFate] {
    try TrackerStore().record(fixes, account: account, on: database)
}

func locations(of user: String, _ account: Int, on database: isolated Connection) throws -> [StoredLocation] {
    try TrackerStore().locations(of: user, account: account, on: database)
}

/// Sets the times at which tracking was turned off.
func setStops(_ stops: [Double], of user: String, on database: isolated Connection) throws {
    try database.query(
        """
        UPDATE trackers
        SET stops = ARRAY (SELECT to_timestamp(stop) FROM unnest(\(stops)) AS stop)
        WHERE user_id = \(user)
        """)
}

func doubtedFixes(of user: String, on database: isolated Connection) throws -> [String] {
    try database.query(
        """
        SELECT fixes.id
        FROM fixes
        JOIN trackers ON trackers.id = fixes.tracker
        WHERE user_id = \(user) AND is_doubted
        ORDER BY fixes.id
        """
    ).map { try $0.read("id") }
}

extension [Fix] {
    func inPieces(of size: Int) -> [[Fix]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
