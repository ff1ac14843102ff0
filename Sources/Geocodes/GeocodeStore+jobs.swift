package import Postgres

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
}
