import Formats
package import Geocoding
package import Postgres
import Questions

/// A file whose addresses wait for answers. It is deleted a day after the last answer.
package struct FileRun: Identifiable, Sendable {
    package let id: Int
    package let name: String
    /// Names and values of the settings in turn.
    package let settings: [String]
    package let contacts, refused, pinned, addresses: Int
    /// In seconds since 1970.
    package let createdAt: Double
    package let finishedAt: Double?

    fileprivate static let columns: SQL = """
        id, name, settings, contacts, refused, pinned, pinned + cardinality(hashes) AS addresses,
        extract(epoch FROM created_at)::double precision AS created_at,
        extract(epoch FROM finished_at)::double precision AS finished_at
        """

    fileprivate init(_ row: Row) throws {
        (id, name, settings) = (try row.read("id"), try row.read("name"), try row.read("settings"))
        (contacts, refused) = (try row.read("contacts"), try row.read("refused"))
        (pinned, addresses) = (try row.read("pinned"), try row.read("addresses"))
        (createdAt, finishedAt) = (try row.read("created_at"), try row.readIfPresent("finished_at"))
    }
}

/// The table `file_runs`. A run is stored after its questions, so a run never has questions that were not asked.
package struct FileRunStore: Sendable {
    /// The most files that an account may have.
    package static let mostRuns = 20
    /// A file is deleted this long after its end, or after its upload if it never ends.
    package static let lifetime: (afterEnd: Duration, afterUpload: Duration) = (
        .seconds(86_400), .seconds(30 * 86_400)
    )

    package init() {}

    /// Stores a file, and returns its run. The same file with the same settings is one run. Nil if the account has too
    /// many.
    package func add(
        _ contents: FileContents, file: [UInt8], digest: [UInt8], named name: String, settings: [String], account: Int,
        on database: isolated Connection
    ) throws -> FileRun? {
        let count: Int = try database.query("SELECT count(*) AS n FROM file_runs WHERE account = \(account)")[0].read(
            "n")
        let known = try database.query(
            "SELECT \(part: FileRun.columns) FROM file_runs WHERE account = \(account) AND digest = \(Bytes(digest))"
        ).first.map(FileRun.init)
        if let known { return known }
        guard count < Self.mostRuns else { return nil }
        return try database.query(
            """
            INSERT INTO file_runs (account, digest, name, settings, file, contacts, refused, pinned, hashes)
            VALUES (\(account), \(Bytes(digest)), \(name), \(settings), \(Bytes(file)), \(contents.friends.count),
                    \(contents.refused), \(contents.pinned), \(contents.hashes))
            ON CONFLICT (account, digest) DO UPDATE SET name = excluded.name
            RETURNING \(part: FileRun.columns)
            """
        ).first.map(FileRun.init)
    }

    package func run(_ id: Int, account: Int, on database: isolated Connection) throws -> FileRun? {
        try database.query(
            "SELECT \(part: FileRun.columns) FROM file_runs WHERE id = \(id) AND account = \(account)"
        ).first.map(FileRun.init)
    }

    /// Returns the account's runs, the latest first.
    package func runs(of account: Int, on database: isolated Connection) throws -> [FileRun] {
        try database.query(
            "SELECT \(part: FileRun.columns) FROM file_runs WHERE account = \(account) ORDER BY id DESC"
        ).map(FileRun.init)
    }

    /// Returns the bytes as they were uploaded.
    package func file(of id: Int, account: Int, on database: isolated Connection) throws -> [UInt8]? {
        try database.query("SELECT file FROM file_runs WHERE id = \(id) AND account = \(account)").first
            .map { try $0.read("file", as: Bytes.self).bytes }
    }

    /// Returns whether there was such a run.
    package func delete(_ id: Int, account: Int, on database: isolated Connection) throws -> Bool {
        try database.query("DELETE FROM file_runs WHERE id = \(id) AND account = \(account)").affected > 0
    }
}

/// The answers to the addresses of a file.
extension FileRunStore {
    /// Counts the addresses of a run by status. Those with a position of their own are located.
    package func progress(of run: FileRun, on database: isolated Connection) throws -> AddressProgress {
        try progress(of: run.id, pinned: run.pinned, on: database)
    }

    func progress(of run: Int, pinned: Int, on database: isolated Connection) throws -> AddressProgress {
        // crosses rooms: an address has a place only through its hash.
        let rows = try database.query(
            """
            SELECT coalesce(geocodes.status, 'waiting') AS status, geocodes.precision, geocodes.is_weak,
                   false AS is_provisional, count(*) AS addresses
            FROM file_runs
            CROSS JOIN unnest(hashes) AS addresses (hash)
            LEFT JOIN LATERAL (
                SELECT status, precision, is_weak FROM geocodes WHERE geocodes.hash = addresses.hash LIMIT 1
            ) AS geocodes ON true
            WHERE file_runs.id = \(run)
            GROUP BY 1, 2, 3
            """)
        var progress = AddressProgress()
        for row in rows { try progress.add(row, hasCountries: false) }
        if pinned > 0 { progress.byStatus[.located, default: 0] += pinned }
        return progress
    }

    // crosses rooms: see above. The status is compared outside, so that each hash is a lookup in the index of hashes.
    private static let waiting: SQL = """
        SELECT
        FROM unnest(hashes) AS addresses (hash)
        CROSS JOIN LATERAL (SELECT status FROM geocodes WHERE geocodes.hash = addresses.hash LIMIT 1) AS known
        WHERE known.status = 'waiting'
        """

    /// Returns whether one of these questions waits.
    package func isWaiting(among hashes: [AddressHash], on database: isolated Connection) throws -> Bool {
        try !database.query(
            "SELECT FROM (SELECT \(hashes)::bytea[] AS hashes) AS file WHERE EXISTS (\(part: Self.waiting))"
        ).isEmpty
    }

    /// Returns the places of these addresses.
    func places(of hashes: [AddressHash], on database: isolated Connection) throws -> [AddressHash: KnownPlace] {
        guard !hashes.isEmpty else { return [:] }
        // crosses rooms: see above.
        let rows = try database.query(
            """
            SELECT addresses.hash AS key, \(part: KnownPlace.columns)
            FROM unnest(\(hashes)) AS addresses (hash)
            CROSS JOIN LATERAL (\(part: KnownPlace.answer)) AS geocodes
            """)
        return Dictionary(try rows.map { (try $0.read("key", as: AddressHash.self), try KnownPlace($0)) }) { first, _ in
            first
        }
    }
}

/// The leader's work.
extension FileRunStore {
    /// Notes the end of runs whose last question was answered, and deletes old runs. Returns how many it deleted.
    package func expire(on database: isolated Connection) throws -> Int {
        try database.query(
            """
            UPDATE file_runs
            SET finished_at = now(), notify_at = CASE WHEN notify IS NOT NULL THEN now() END
            WHERE finished_at IS NULL AND NOT EXISTS (\(part: Self.waiting))
            """)
        return try database.query(
            """
            DELETE FROM file_runs
            WHERE finished_at <= now() - \(Self.lifetime.afterEnd)::interval OR created_at <= now() - \(Self.lifetime.afterUpload)::interval
            """
        ).affected
    }
}
