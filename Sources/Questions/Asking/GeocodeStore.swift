package import Postgres

/// The table `geocodes`: each distinct address once, with its answer.
package struct GeocodeStore: Sendable {
    package init() {}
}

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

extension GeocodeStore {
    /// Stores that waiting questions are in another job now.
    package func move(_ subjects: [(subject: Int, from: Int, to: Int)], on database: isolated Connection) throws {
        guard !subjects.isEmpty else { return }
        try database.query(
            """
            UPDATE geocodes
            SET job = moved.new_job
            FROM unnest(\(subjects.map(\.subject)), \(subjects.map(\.from)), \(subjects.map(\.to))) AS moved (id, old_job, new_job)
            WHERE geocodes.id = moved.id AND geocodes.job = moved.old_job AND status = 'waiting'
            """)
    }
}
