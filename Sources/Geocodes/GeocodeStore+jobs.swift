package import Postgres

extension GeocodeStore {
    /// The jobs in which these questions wait. One that follows another spelling waits in that one's job.
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
