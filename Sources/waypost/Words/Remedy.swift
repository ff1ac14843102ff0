import API
import Access
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
        case let error as UnsuitableJob: sentence(for: error)
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
        case .encoding: "create another one: createdb --encoding UTF8 --template template0 NAME"
        case .overloaded: nil
        case .locked: "end the oldest transactions (pg_stat_activity.xact_start), then run: waypost migrate"
        case .longLock: "when everybody may wait, run: waypost migrate --allow-long-locks"
        }
    }

    private static func sentence(for error: UnsuitableJob) -> String? {
        switch error.obstacle {
        case .dead:
            "'waypost jobs retry \(error.job)' enqueues it again, 'waypost jobs discard \(error.job)' forgets it"
        case .waiting: "'waypost jobs cancel \(error.job)' gives it up"
        case .held, .otherSubject: nil
        }
    }
}

extension Finding {
    /// The advice, followed by the command that does it.
    var advice: String? {
        guard let cause else { return nil }
        return cause.remedy + (cause.command.map { ": '\($0)'" } ?? "")
    }
}

extension Finding.Cause {
    fileprivate var command: String? {
        switch self {
        case .noLeader: "waypost coordinator"
        case .noWorker: "waypost workers list"
        case .pausedLane(let lane), .stoppedLane(let lane), .blockedLane(let lane): "waypost lanes resume \(lane)"
        case .lateCalls(let lane): "waypost lanes audit \(lane)"
        case .failingCalls(let lane): "waypost jobs list --lane \(lane)"
        case .tooFast(let lane): "waypost lanes limit \(lane) …"
        case .outside: nil
        }
    }
}

extension WhyJobWaits {
    /// The reason in one sentence, followed by the command that ends the wait.
    func advice(job: Int, lane: LaneState) -> String {
        let sentence = sentence(job: job, lane: lane)
        let command: String? =
            switch self {
            case .dead: "'waypost jobs retry \(job)' enqueues it again."
            case .stopped(_, LaneCondition.copied): nil
            case .stopped: "After that is repaired, 'waypost lanes resume \(lane.lane)' restarts it."
            case .paused: "'waypost lanes resume \(lane.lane)' restarts it."
            case .noWorker(quiet: 0): "Start one with 'waypost worker'."
            case .noWorker: "'waypost workers resume' wakes one."
            default: nil
            }
        return command.map { "\(sentence) \($0)" } ?? sentence
    }
}
