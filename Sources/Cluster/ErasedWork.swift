import HTTP
import Postgres
import Questions
import Queue

/// The work of a lane, with its types erased.
///
/// The loop, its hand and its writer are then compiled for this one type. If they were generic over each lane's work,
/// Swift's runtime would look up type metadata several times for each event, which took a third of a worker's CPU time.
struct ErasedWork: Sendable {
    typealias Question = any Sendable
    typealias Answer = any Sendable

    let lane: String
    let sender: (any HTTPCaller)?
    /// ``LaneWork/warmUp()``
    let warmUp: @Sendable () -> Void
    /// ``LaneWork/questions(of:on:)``
    let questions: @Sendable ([Job], isolated Connection) throws -> [Job.ID: Question]
    /// ``LaneWork/call(_:_:)``
    let call: @Sendable (Question, Departure) async -> Reply<Answer>
    /// ``LaneWork/store(_:successors:givenUp:on:)``
    let store: @Sendable ([JobEnd<Answer>], [QueuedJob], [Int], isolated Connection) throws -> Void

    init<Work: LaneWork>(_ work: Work) {
        lane = work.lane
        sender = work.sender
        warmUp = { work.warmUp() }
        questions = { try work.questions(of: $0, on: $1).mapValues { $0 } }
        call = { question, departure in
            guard let question = question as? Work.Question else { preconditionFailure("a question of another lane") }
            let reply = await work.call(question, departure)
            return Reply(reply.outcome, answer: reply.answer)
        }
        store = { ends, successors, givenUp, database in
            let ends = ends.map {
                JobEnd(job: $0.job, answer: $0.answer as? Work.Answer, deathReason: $0.deathReason)
            }
            try work.store(ends, successors: successors, givenUp: givenUp, on: database)
        }
    }
}
