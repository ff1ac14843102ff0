import API
import Postgres
import Questions
import Queue
import Schema

/// Advice on errors of other rooms, which have no knowledge of commands.
enum Remedy {
    static func sentence(for error: any Error) -> String? {
        switch error {
        case is NoSuchChain: "'waypost chains list' shows all"
        case is OnlyTokens:
            "a server without tokens serves every caller, so create one for another account first: 'waypost tokens create'"
        case let error as QueueError:
            switch error.cause {
            case .noSuchLane: "'waypost lanes list' shows all"
            case .noSuchWorker: "'waypost workers list' shows all"
            case .laneExists, .contradiction, .other: nil
            }
        case let error as SchemaError: sentence(for: error)
        case let error as DatabaseError where error.statement?.hasPrefix("SET ROLE ") == true:
            "'waypost migrate', run by the owner, creates the roles"
        default: nil
        }
    }

    private static func sentence(for error: SchemaError) -> String? {
        switch error {
        case .behind, .damaged: "run: waypost migrate"
        case .tooNew: "install the newer waypost, or point DATABASE_URL elsewhere"
        case .foreign: "point DATABASE_URL to an empty database"
        case .overloaded: nil
        }
    }
}
