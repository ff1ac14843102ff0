package import Postgres

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
