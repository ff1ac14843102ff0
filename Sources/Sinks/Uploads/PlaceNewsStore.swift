package import Postgres
package import Queue

/// The messages to webhooks about changed places. See docs/design/sinks.md.
///
/// The store has no state: create one where it is needed.
package struct PlaceNewsStore: Sendable {
    package init() {}

    /// Enqueues a job for each webhook whose account has changes that no message contains yet. A webhook has one job at
    /// a time. Returns the number of jobs.
    package func enqueue(on database: isolated Connection) throws -> Int {
        // crosses rooms: only the queue shows if a job still exists.
        try database.query(
            """
            WITH due AS (
                SELECT sinks.id, lanes.name AS lane, greatest(now(), sinks.noticed_at + sinks.pause) AS due_at
                FROM sinks
                JOIN lanes ON lanes.id = sinks.lane
                WHERE about = 'places' AND latest_change(account) > told_in
                  AND NOT EXISTS (SELECT FROM jobs WHERE jobs.id = sinks.job)
                  AND NOT EXISTS (SELECT FROM dead_jobs WHERE dead_jobs.id = sinks.job)
                FOR UPDATE OF sinks SKIP LOCKED
            )
            UPDATE sinks
            SET job = queued.job, noticed_at = now()
            FROM due
            CROSS JOIN LATERAL queue_jobs(due.lane, ARRAY[due.id::bigint], 1::smallint, due.due_at) AS queued
            WHERE sinks.id = due.id
            RETURNING 1
            """
        ).count
    }

    /// Returns the messages of jobs, by the ids of the jobs. If a webhook has another job now, its old job is left out.
    package func news(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: PlaceNews] {
        // crosses rooms: the tallies belong to the contacts.
        let rows = try database.query(
            """
            SELECT sinks.job, sinks.id, latest_change(account) AS changed_in,
                   extract(epoch FROM noticed_at)::double precision AS noticed_at,
                   tally.addresses, tally.waiting, tally.located
            FROM sinks
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(addresses), 0)::bigint AS addresses,
                       coalesce(sum(addresses) FILTER (WHERE status = 'waiting'), 0)::bigint AS waiting,
                       coalesce(sum(addresses) FILTER (WHERE status = 'located'), 0)::bigint AS located
                FROM address_tallies
                WHERE address_tallies.account = sinks.account
            ) AS tally
            WHERE about = 'places' AND job = ANY (\(jobs.map(\.id)))
            """)
        let news = try rows.map { row in
            (
                try row.read("job", as: Job.ID.self),
                PlaceNews(
                    sink: try row.read("id"), changedIn: try row.readIfPresent("changed_in") ?? 0,
                    addresses: try row.read("addresses"), waiting: try row.read("waiting"),
                    located: try row.read("located"), noticedAt: try row.read("noticed_at"))
            )
        }
        return Dictionary(news) { first, _ in first }
    }

    /// Notes that webhooks have accepted the messages of these jobs. Later changes go into the next message.
    package func finish(_ told: [(job: Job.ID, news: PlaceNews)], on database: isolated Connection) throws {
        guard !told.isEmpty else { return }
        try database.query(
            """
            UPDATE sinks
            SET told_in = greatest(told_in, told.changed_in), job = NULL
            FROM unnest(\(told.map(\.job)), \(told.map(\.news.changedIn))) AS told (job, changed_in)
            WHERE sinks.job = told.job
            """)
    }
}
