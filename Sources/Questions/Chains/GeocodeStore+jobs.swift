import Geocoding
package import Postgres
import Queue

/// The jobs in which questions wait.
extension GeocodeStore {
    /// Returns the jobs in which these questions wait. A question that follows another spelling waits in the job of
    /// that spelling.
    package func jobs(of questions: [Int], on database: isolated Connection) throws -> [Int] {
        try database.query(
            """
            SELECT DISTINCT coalesce(asked.job, leader.job) AS job
            FROM geocodes AS asked
            LEFT JOIN geocodes AS leader
                ON asked.follows AND leader.loose_key = asked.loose_key AND leader.status = 'waiting' AND NOT leader.follows
            WHERE asked.id = ANY (\(questions)) AND coalesce(asked.job, leader.job) IS NOT NULL
            """
        ).map { try $0.read("job") }
    }

    /// Returns the questions of jobs that still wait in exactly that job. A job without any is missing.
    func questions(_ subjects: [Int], of jobs: [Int], on database: isolated Connection) throws -> [Int: [Question]] {
        let rows = try database.query(
            """
            SELECT id, job, street, city, region, postcode, country, at_latitude, at_longitude, chain, link, step,
                   candidates, reason, shadow_of
            FROM geocodes
            WHERE id = ANY (\(subjects)) AND job = ANY (\(jobs)) AND status = 'waiting'
            ORDER BY id
            """)
        let chains = try ChainStore().chains(Set(rows.map { try $0.read("chain") }), on: database)
        var questions: [Int: [Question]] = [:]
        for row in rows {
            guard let chain = chains[try row.read("chain")]?.plan else { continue }
            questions[try row.read("job"), default: []].append(try Question(row, chain: chain))
        }
        return questions
    }

    /// Returns those of the questions that wait, each with its job, if it has one, and the lane in which it waits.
    func waiting(
        among hashes: [AddressHash], on database: isolated Connection
    ) throws -> [(id: Question.ID, job: Int?, lane: String?)] {
        try database.query(
            """
            SELECT geocodes.id, job, plan->'links'->link->>'lane' AS lane
            FROM geocodes
            JOIN chains ON chains.id = geocodes.chain
            WHERE hash = ANY (\(hashes)) AND status = 'waiting'
            ORDER BY geocodes.id
            """
        ).map { try (id: $0.read("id"), job: $0.readIfPresent("job"), lane: $0.readIfPresent("lane")) }
    }

    /// Stores that waiting questions are in these jobs now. If a job of `former` is given at the same place, only those
    /// that were in that one.
    func move(to jobs: [QueuedJob], from former: [Int] = [], on database: isolated Connection) throws {
        guard !jobs.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET job = carried.job, follows = false
            FROM \(part: jobs.carried)
            JOIN unnest(\(jobs.map(\.id)), \(former)) AS moved (job, former) ON moved.job = carried.job
            WHERE geocodes.id = ANY (\(jobs.flatMap(\.subjects))) AND geocodes.id = carried.subject AND status = 'waiting'
              AND (former IS NULL OR geocodes.job = former)
            """)
    }

    /// Makes failed questions wait again, in jobs that a person retries. Returns the questions that it changed.
    /// Questions that were answered meanwhile, or are in another job, stay as they are.
    func reopen(_ jobs: [QueuedJob], on database: isolated Connection) throws -> Set<Int> {
        guard !jobs.isEmpty else { return [] }
        let waiting: [Int] = try database.query(
            """
            UPDATE geocodes
            SET status = 'waiting', job = carried.job, follows = false, provider = NULL, reason = NULL, confidence = NULL,
                geocoded_at = NULL, expires_at = NULL
            FROM \(part: jobs.carried)
            WHERE geocodes.id = carried.subject
              AND (status = 'failed'
                   OR status = 'waiting' AND (geocodes.job IS NULL OR geocodes.job = carried.job))
            RETURNING geocodes.id
            """
        ).map { try $0.read("id") }
        return Set(waiting)
    }

    /// Marks the questions of jobs that a person cancelled as failed. Returns the shadows among them, which are
    /// deleted, by their jobs.
    func cancel(_ jobs: [QueuedJob], on database: isolated Connection) throws -> [QueuedJob] {
        guard !jobs.isEmpty else { return [] }
        return try database.query(
            """
            WITH cancelled AS (
                UPDATE geocodes
                SET status = 'failed', job = NULL, follows = false, reason = 'cancelled by a person', geocoded_at = now()
                FROM \(part: jobs.carried)
                WHERE geocodes.id = carried.subject AND geocodes.job = carried.job
                RETURNING carried.job, carried.subject, shadow_of
            )
            SELECT job, array_agg(subject) AS shadows FROM cancelled WHERE shadow_of IS NOT NULL GROUP BY job
            """
        ).map { QueuedJob(id: try $0.read("job"), subjects: try $0.read("shadows")) }
    }
}

extension [QueuedJob] {
    /// The subjects as a table, each with its job.
    fileprivate var carried: SQL {
        """
        unnest(\(flatMap(\.subjects)), \(flatMap { job in job.subjects.map { _ in job.id } })) AS carried (subject, job)
        """
    }
}

extension Question {
    fileprivate init(_ row: Row, chain: Chain) throws {
        self.init(
            id: try row.read("id"), subject: try Subject(row), chain: chain,
            link: min(try row.read("link"), chain.links.count - 1),
            step: try row.readIfPresent("step").flatMap(LadderStep.init(rawValue:)),
            candidates: try row.readIfPresent("candidates", as: String.self).map([Place].init(json:)),
            failure: try row.readIfPresent("reason"), shadowOf: try row.readIfPresent("shadow_of"))
    }
}

extension Question.Subject {
    init(_ row: Row) throws {
        if let latitude = try row.readIfPresent("at_latitude", as: Double.self),
            let coordinate = Coordinate(latitude: latitude, longitude: try row.read("at_longitude"))
        {
            self = .coordinate(coordinate)
        } else {
            self = .address(try Address(question: row))
        }
    }
}

extension Address {
    /// Reads the address of a question.
    init(question row: Row) throws {
        self.init(
            street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
            postcode: try row.read("postcode"), country: try row.read("country"))
    }
}
