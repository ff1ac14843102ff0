package import Postgres

extension JobQueue {
    /// Returns the facts that decide when a job is called; nil if the job does not exist.
    package func circumstances(of id: Int, on database: isolated Connection) throws -> JobCircumstances? {
        guard let job = try job(id, on: database) else { return nil }
        let row = try database.query(
            """
            SELECT count(*) FILTER (WHERE NOT is_quiet) AS ahead, count(*) FILTER (WHERE is_quiet) AS quiet_workers
            FROM (
                SELECT false AS is_quiet
                FROM jobs
                JOIN jobs AS it ON it.id = \(id) AND it.lane = jobs.lane
                WHERE is_ready(jobs, statement_timestamp())
                  AND (jobs.priority > it.priority
                       OR jobs.priority = it.priority AND (jobs.run_at, jobs.id) < (it.run_at, it.id))
                UNION ALL
                SELECT true
                FROM workers
                WHERE quiet AND \(job.lane) = ANY (lanes)
            ) AS counted
            """)[0]
        return JobCircumstances(
            job: job, lane: try lane(job.lane, on: database), ahead: try row.read("ahead"),
            quietWorkers: try row.read("quiet_workers"))
    }
}
