import Postgres
import Questions
import Queue
import Schema

/// What a person can do about an error or a finding of a room below, because those rooms know no commands.
enum Remedy {
    static func sentence(for error: any Error) -> String? {
        switch error {
        case is NoSuchChain: "'waypost chains list' shows all"
        case let error as QueueError:
            switch error.cause {
            case .noSuchLane: "'waypost lanes list' shows all"
            case .noSuchWorker: "'waypost workers list' shows all"
            case .other: nil
            }
        case let error as SchemaError: sentence(for: error)
        case is MissingRoles:
            "let somebody who may run CREATE ROLE … NOLOGIN for each, then run 'waypost migrate' again"
        case let error as DatabaseError where error.statement?.hasPrefix("SET ROLE ") == true:
            "'waypost migrate', run by the owner, creates the roles"
        default: nil
        }
    }

    private static func sentence(for error: SchemaError) -> String? {
        switch error {
        case .behind: "run: waypost migrate"
        case .tooNew: "install the newer waypost, or point DATABASE_URL elsewhere"
        case .foreign: "point DATABASE_URL to an empty database"
        case .overloaded: nil
        }
    }

    static func sentence(for cause: Finding.Cause) -> String {
        switch cause {
        case .noLeader: "start one with 'waypost coordinator', or read the log of the running one"
        case .noWorker:
            "start one that serves it with 'waypost worker', or resume a quiet one: 'waypost workers list'"
        case .pausedLane(let lane): opening(lane)
        case .stoppedLane(let lane): "repair that, then \(opening(lane))"
        case .blockedLane(let lane): "wait, or \(opening(lane))"
        case .lateCalls(let lane):
            "a worker was stopped just before them: give its machine fewer workers; "
                + "'waypost lanes audit \(lane)' says whether a limit was exceeded"
        case .outside(let remedy): remedy
        }
    }

    private static func opening(_ lane: String) -> String { "'waypost lanes resume \(lane)' restarts it" }
}
