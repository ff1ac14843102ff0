import Postgres
import Queue
import Schema
import Sentences
import Testing

@testable import waypost

struct RemedyTests {
    @Test(arguments: [
        (
            Finding.Cause.noLeader,
            "start one with 'waypost coordinator', or read the log of the running one"
        ),
        (
            .noWorker,
            "start one that serves it with 'waypost worker', or resume a quiet one: 'waypost workers list'"
        ),
        (.pausedLane("here"), "'waypost lanes resume here' restarts it"),
        (.stoppedLane("here"), "repair that, then 'waypost lanes resume here' restarts it"),
        (.blockedLane("here"), "wait, or 'waypost lanes resume here' restarts it"),
        (
            .lateCalls(lane: "here"),
            "a worker was stopped just before them: give its machine fewer workers; "
                + "'waypost lanes audit here' says whether a limit was exceeded"
        ),
        (.outside(remedy: "VACUUM jobs"), "VACUUM jobs"),
    ]) func `each finding of the doctor comes with the command that repairs it`(cause: Finding.Cause, sentence: String)
    {
        #expect(cause.remedy == sentence)
    }

    @Test(arguments: [
        (SchemaError.behind(missing: [2]), "run: waypost migrate"),
        (.behind(missing: [], functions: ["slots"]), "run: waypost migrate"),
        (.tooNew(unknown: [9], known: 1), "install the newer waypost, or point DATABASE_URL elsewhere"),
        (.foreign(number: 1, name: "queue"), "point DATABASE_URL to an empty database"),
    ]) func `a schema that does not fit is reported with the remedy`(error: SchemaError, sentence: String) {
        #expect(Remedy.sentence(for: error) == sentence)
    }

    @Test func `a login without its role is told who creates the roles`() {
        var error = DatabaseError(message: "permission denied to set role \"waypost_api\"", sqlState: "42501")
        #expect(Remedy.sentence(for: error) == nil)
        error.statement = #"SET ROLE "waypost_api""#
        #expect(Remedy.sentence(for: error) == "'waypost migrate', run by the owner, creates the roles")
    }
}
