import Locations
import Postgres
import Questions
import Queue

extension Rescue {
    /// Lets all that jobs are about know what became of those whose workers were lost, in the transaction that freed them.
    func settle(on database: isolated Connection) throws {
        try QuestionQueue().settle(self, on: database)
        try UploadStore().settle(self, on: database)
    }
}
