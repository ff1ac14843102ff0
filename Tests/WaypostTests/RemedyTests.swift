import Foundation
import Postgres
import Schema
import Testing

@testable import Queue
@testable import waypost

struct RemedyTests {
    @Test(arguments: [
        (
            Finding.Cause.noLeader, "no_leader",
            "read the log of the running coordinator, or start one: 'waypost coordinator'"
        ),
        (
            .noWorker, "no_worker",
            "resume a quiet worker, or start one that serves the lane: 'waypost workers list'"
        ),
        (.pausedLane("here"), "paused_lane", "resume the lane: 'waypost lanes resume here'"),
        (.stoppedLane("here"), "stopped_lane", "repair that, then resume the lane: 'waypost lanes resume here'"),
        (.blockedLane("here"), "blocked_lane", "wait, or resume the lane: 'waypost lanes resume here'"),
        (
            .lateCalls(lane: "here"), "late_calls",
            "a worker was stopped just before them: give its machine fewer workers, and audit the lane's limits: "
                + "'waypost lanes audit here'"
        ),
        (
            .failingCalls(lane: "here"), "failing_calls",
            "repair what that says; each job of the lane has its last failure: 'waypost jobs list --lane here'"
        ),
        (
            .tooFast(lane: "here"), "too_fast",
            "see that nothing else calls with the same key, and lower the lane's limit: 'waypost lanes limit here …'"
        ),
        (.outside(remedy: "VACUUM jobs"), "outside", "VACUUM jobs"),
    ]) func `each finding of the doctor comes with advice, which only the program ends with a command`(
        cause: Finding.Cause, word: String, advice: String
    ) {
        let finding = Finding.warning("a check", "a text", cause)
        #expect(finding.advice == advice)
        #expect(cause.word == word)
        #expect(finding.remedy?.contains("'waypost ") == false)
        let page = finding.runbook?.split(separator: "#").first.map(String.init) ?? ""
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        #expect(FileManager.default.fileExists(atPath: repository.appending(path: page).path), "\(page)")
    }

    @Test func `a refused act on a job comes with the commands that fit its state`() {
        func advice(_ obstacle: UnsuitableJob.Obstacle) -> String? {
            Remedy.sentence(for: UnsuitableJob(job: 7, obstacle: obstacle, description: ""))
        }
        #expect(advice(.dead) == "'waypost jobs retry 7' enqueues it again, 'waypost jobs discard 7' forgets it")
        #expect(advice(.waiting) == "'waypost jobs cancel 7' gives it up")
        #expect(advice(.held) == nil)
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
