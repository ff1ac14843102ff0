import HTTP
import Postgres

/// Stores locations in a table of a PostgreSQL database (14 or later), which any program may read.
///
/// A missing table is created. The connections are closed together with the sink.
struct TableSink: LocationSink {
    private let database: Database
    private let name: TableName
    private let timeLimit = Duration.seconds(30)

    package var most: Int { 1_000 }

    package var sender: (any HTTPCaller)? { nil }
    package var signIn: FirebaseSignIn? { nil }

    /// Opens no connection yet.
    package init(url: String, table: TableName = TableName()) {
        self.init(url: url, table: table, waitLimit: .seconds(20))
    }

    init(
        url: String, table: TableName = TableName(), waitLimit: Duration = .seconds(20),
        applicationName: String = "waypost"
    ) {
        var options = Database.Options(size: 2)
        options.waitLimit = waitLimit
        options.applicationName = applicationName
        database = Database(url: url, options: options)
        name = table
    }

    package func upload(_ parcel: Parcel) async throws(SinkError) {
        // Sorted, so that two writers of the same rows don't deadlock.
        let locations = parcel.last(by: \.key).sorted { $0.key < $1.key }
        guard !locations.isEmpty else { return }
        do {
            do { try await write(locations) } catch let error as DatabaseError where error.sqlState == "42P01" {
                try await makeTable()
                try await write(locations)
            }
        } catch {
            throw SinkError(table: error)
        }
    }

    private func write(_ locations: [LocationToUpload]) async throws {
        let removed = locations.filter(\.isRemoved)
        let kept = locations.filter { !$0.isRemoved }
        try await database.transaction(within: timeLimit) { [name] connection in
            // Also without removed locations: then it only checks that the table exists.
            try connection.query(delete(removed, from: name.sql))
            if !kept.isEmpty { try connection.query(upsert(kept, into: name.sql)) }
        }
    }

    /// Errors that `IF NOT EXISTS` does not prevent: two sessions create the table, its row type, or their catalogue
    /// rows at once.
    private static let raced: Set<String> = ["42P07", "42710", "23505"]

    private func makeTable() async throws {
        do {
            try await database.run(within: timeLimit) { [name] in try $0.query(creation(of: name.sql)) }
        } catch let error as DatabaseError where Self.raced.contains(error.sqlState ?? "") {
            // Another session has created it at the same moment.
        }
    }
}

extension TableSink: CustomStringConvertible, CustomReflectable {
    /// Without the URL, which contains a password.
    package var description: String { "table \(name)" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The name of a table, optionally with its schema.
package struct TableName: Hashable, Sendable, CustomStringConvertible {
    private let parts: [String]

    package init() { parts = ["locations"] }

    /// Returns nil for a text that is neither `TABLE` nor `SCHEMA.TABLE`. Case matters.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 63 && !$0.utf8.contains(0) })
        else { return nil }
        self.parts = parts
    }

    package var description: String { parts.joined(separator: ".") }

    fileprivate var sql: SQL {
        parts.count == 1 ? "\(identifier: parts[0])" : "\(identifier: parts[0]).\(identifier: parts[1])"
    }
}

private func creation(of table: SQL) -> SQL {
    """
    CREATE TABLE IF NOT EXISTS \(part: table) (
        user_id   text             NOT NULL,
        id        text             NOT NULL,
        timestamp timestamptz      NOT NULL,
        lat       double precision NOT NULL,
        lng       double precision NOT NULL,
        accuracy  double precision,
        wait_time double precision NOT NULL,
        PRIMARY KEY (user_id, timestamp, id)
    )
    """
}

/// An unchanged row is not written.
private func upsert(_ locations: [LocationToUpload], into table: SQL) -> SQL {
    """
    INSERT INTO \(part: table) AS stored (user_id, id, timestamp, lat, lng, accuracy, wait_time)
    SELECT given.user_id, given.id, given.timestamp::timestamptz, given.lat, given.lng, given.accuracy, given.wait_time
    FROM unnest(
        \(locations.map(\.user)), \(locations.map(\.id)), \(locations.map(\.time)), \(locations.map(\.lat)),
        \(locations.map(\.lng)), \(locations.map(\.accuracy)), \(locations.map(\.waitTime))
    ) AS given (user_id, id, timestamp, lat, lng, accuracy, wait_time)
    ON CONFLICT (user_id, timestamp, id) DO UPDATE
    SET lat = excluded.lat, lng = excluded.lng, accuracy = excluded.accuracy, wait_time = excluded.wait_time
    WHERE (stored.lat, stored.lng, stored.accuracy, stored.wait_time)
        IS DISTINCT FROM (excluded.lat, excluded.lng, excluded.accuracy, excluded.wait_time)
    """
}

private func delete(_ locations: [LocationToUpload], from table: SQL) -> SQL {
    """
    DELETE FROM \(part: table) AS stored
    USING unnest(
        \(locations.map(\.user)), \(locations.map(\.id)), \(locations.map(\.time))
    ) AS gone (user_id, id, timestamp)
    WHERE stored.user_id = gone.user_id
        AND stored.timestamp = gone.timestamp::timestamptz
        AND stored.id = gone.id
    """
}

extension SinkError {
    /// PostgreSQL's messages quote values, and a connection URL may contain a password. So the reason contains only the
    /// SQLSTATE and our own words.
    init(table error: any Error) {
        guard let error = error as? DatabaseError else {
            self = .unavailable(reason: "the upload was cancelled")
            return
        }
        if error.isConnectionLost {
            self =
                error.isWorthRetrying
                ? .unavailable(reason: "the database can't be reached, or has hung up")
                : .denied(reason: "the database does not let us in: look at the URL, the user and the password")
            return
        }
        guard let state = error.sqlState else {
            self = .unavailable(reason: "the database did not answer in time")
            return
        }
        let reason = "PostgreSQL answered \(state)"
        self =
            switch state {
            case _ where error.isWorthRetrying: .unavailable(reason: reason)
            case "42501": .denied(reason: "\(reason): the user may not write to the table, or not make it")
            case "3F000": .denied(reason: "\(reason): there is no such schema")
            case "42703", "42P10", "42804", "42883":
                .denied(reason: "\(reason): the table lacks columns or the key that are needed")
            // A constraint or a trigger of the table's owner.
            case "P0001", "44000": .refused(reason: "\(reason): the table does not take such a row")
            default:
                switch state.prefix(2) {
                case "22", "23": .refused(reason: "\(reason): the table does not take such a row")
                case "42", "0A", "28", "3D": .denied(reason: reason)
                default: .unavailable(reason: reason)
                }
            }
    }
}
