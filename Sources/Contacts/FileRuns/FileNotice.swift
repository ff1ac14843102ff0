import Geocoding
package import Postgres
import Processes

/// A message to a webhook: all addresses of a file are answered. It contains counts, but no name, address or place.
package struct FileNotice: Sendable {
    package let run: Int
    package let url: String
    /// The secret that signs the message. It was sealed for ``FileRun/sealingContext(_:of:)``.
    package let sealed: [UInt8]
    package let context: String
    package let contacts, refused, addresses, weak: Int
    /// The number of addresses with each status.
    package let byStatus: [(status: String, addresses: Int)]
    /// In seconds since 1970.
    package let finishedAt: Double
}

extension FileRun {
    /// The place for which a webhook's secret is sealed.
    package static func sealingContext(_ digest: [UInt8], of account: Int) -> String {
        "file of account \(account) \(digest.hexadecimal)"
    }
}

extension FileRunStore {
    /// Sets the webhook of a run. It is called at the run's end, or at once if the run has ended.
    package func setNotice(
        _ url: String, sealed: [UInt8], of run: Int, account: Int, on database: isolated Connection
    ) throws {
        try database.query(
            """
            UPDATE file_runs
            SET notify = \(url), notify_secret = \(Bytes(sealed)), notify_failures = 0,
                notify_at = CASE WHEN finished_at IS NOT NULL THEN now() END
            WHERE id = \(run) AND account = \(account)
            """)
    }

    /// Takes notices that are due. If this process dies, another one takes them again after a minute.
    package func takeNotices(_ limit: Int, on database: isolated Connection) throws -> [FileNotice] {
        try database.query(
            """
            UPDATE file_runs
            SET notify_at = now() + interval '1 minute'
            WHERE id IN (
                SELECT id FROM file_runs WHERE notify_at <= now() ORDER BY notify_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
            RETURNING id, account, digest, notify, notify_secret, contacts, refused, pinned,
                      pinned + cardinality(hashes) AS addresses,
                      extract(epoch FROM finished_at)::double precision AS finished_at
            """
        ).map { row in
            let id: Int = try row.read("id")
            let progress = try progress(of: id, pinned: row.read("pinned"), on: database)
            return FileNotice(
                run: id, url: try row.read("notify"), sealed: try row.read("notify_secret", as: Bytes.self).bytes,
                context: FileRun.sealingContext(
                    try row.read("digest", as: Bytes.self).bytes, of: try row.read("account")),
                contacts: try row.read("contacts"), refused: try row.read("refused"),
                addresses: try row.read("addresses"), weak: progress.weak,
                byStatus: GeocodeStatus.allCases.map { ($0.rawValue, progress.byStatus[$0, default: 0]) },
                finishedAt: try row.readIfPresent("finished_at") ?? 0)
        }
    }

    /// Notes that a webhook accepted its message, or when the next attempt is: after 5 seconds, and at last after an
    /// hour. The deletion of the run, a day after its end, ends the attempts.
    package func finish(_ notice: FileNotice, isAccepted: Bool, on database: isolated Connection) throws {
        try database.query(
            """
            UPDATE file_runs
            SET notify_failures = notify_failures + 1,
                notify_at = CASE WHEN NOT \(isAccepted)
                    THEN now() + retry_wait(least(notify_failures, 30)::smallint, '10 seconds', '1 hour', '5 seconds') END
            WHERE id = \(notice.run) AND notify = \(notice.url)
            """)
    }
}
