import Locations
import Postgres
import Questions
import Queue

extension Rescue {
    /// Updates the subjects of the rescued jobs, in the transaction that freed the jobs.
    func settle(on database: isolated Connection) throws {
        try QuestionQueue().settle(self, on: database)
        try UploadStore().settle(self, on: database)
    }
}
