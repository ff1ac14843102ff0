package import Postgres
package import Processes

/// Counts the requests of this process at the gateway, and writes the sums of each minute into `gateway_minutes`.
///
/// Each request is counted once in the table, also if a write is repeated because its success is not certain: a write
/// has the sums of a minute, and not what was added. Requests since the last write are lost if the process is killed.
/// Without the database, one sum for each token waits in memory, and counts in the minute in which it is there again.
package struct TrafficCounter: Sendable {
    fileprivate struct Key: Hashable, Sendable {
        let account, token: Int
    }

    fileprivate struct Sum: Sendable {
        let name: String
        var counts = TrafficCounts()
    }

    fileprivate struct State: Sendable {
        /// Requests that are not in `sums`.
        var news: [Key: Sum] = [:]
        /// The sums of one minute.
        var sums: [Key: Sum] = [:]
        /// Since 1970, on the database's clock.
        var minute = 0
        var isWritten = true
        var process = Int.random(in: 1...Int.max)
    }

    private let state = Locked(State())

    package init() {}

    package func add(_ source: TrafficSource, of caller: Caller?, after duration: Duration) {
        let key = Key(account: caller?.account ?? 0, token: caller?.token ?? 0)
        state.withLock {
            $0.news[key, default: Sum(name: caller?.tokenName ?? "")].counts.add(source, after: duration)
        }
    }

    package var isWritten: Bool { state.withLock { $0.isWritten && $0.news.isEmpty } }

    /// Writes every five seconds, if there were requests, until the task is cancelled.
    package func writeRepeatedly(to database: Database, log: Log) async {
        var isTold = false
        while true {
            do {
                try await Task.sleep(for: .seconds(5))
                if isWritten { continue }
                try await database.run { try write(on: $0) }
                isTold = false
            } catch {
                if Task.isCancelled { return }
                // The watch of the API logs that the database is away.
                let isAway = (error as? DatabaseError)?.isConnectionLost == true
                if !isTold, !isAway { log.warning("could not count the gateway's requests", ["error": "\(error)"]) }
                isTold = !isAway
            }
        }
    }

    /// Must not run twice at the same time.
    package func write(on database: isolated Connection) throws {
        let minute: Int = try database.query(
            "SELECT floor(extract(epoch FROM statement_timestamp()) / 60)::bigint AS minute")[0].read("minute")
        try write(minute: minute, on: database)
    }

    /// `minute` is the present one, on the database's clock.
    func write(minute: Int, on database: isolated Connection) throws {
        let (due, isRepeated) = state.withLock { state in
            let isRepeated = !state.isWritten
            if !isRepeated { state.moveNews(to: minute) }
            return (state, isRepeated)
        }
        guard !due.isWritten else { return }
        try due.write(on: database)
        state.withLock { $0.isWritten = true }
        if isRepeated, !isWritten { try write(minute: minute, on: database) }
    }
}

extension TrafficCounter.State {
    /// Adds the new requests to the sums of the present minute.
    fileprivate mutating func moveNews(to present: Int) {
        guard !news.isEmpty else { return }
        // The sums of an earlier minute are written already, under this number.
        if present < minute { process = Int.random(in: 1...Int.max) }
        if present != minute { (minute, sums) = (present, [:]) }
        for (key, sum) in news { sums[key, default: TrafficCounter.Sum(name: sum.name)].counts.add(sum.counts) }
        (news, isWritten) = ([:], false)
    }

    fileprivate func write(on database: isolated Connection) throws {
        let rows = Array(sums)
        try database.query(
            """
            INSERT INTO gateway_minutes (
                minute, account, token, process, name, local, cache, call, waiting, missed, refused, durations)
            SELECT to_timestamp(\(minute)::bigint * 60), account, token, \(process), name,
                   n[1], n[2], n[3], n[4], n[5], n[6], n[7:]::integer[]
            FROM (SELECT \(rows.flatMap(\.value.counts.numbers)) AS numbers, \(TrafficCounts.width)::integer AS width) AS all_rows,
                 unnest(\(rows.map(\.key.account)), \(rows.map(\.key.token)), \(rows.map(\.value.name)))
                     WITH ORDINALITY AS one (account, token, name, place),
                 LATERAL (SELECT numbers[(place - 1) * width + 1:place * width] AS n) AS own
            ON CONFLICT (minute, account, token, process) DO UPDATE
            SET local = excluded.local, cache = excluded.cache, call = excluded.call, waiting = excluded.waiting,
                missed = excluded.missed, refused = excluded.refused, durations = excluded.durations
            """)
        try database.query(
            "DELETE FROM gateway_minutes WHERE minute < to_timestamp(\(minute)::bigint * 60) - interval '25 hours'")
    }
}
