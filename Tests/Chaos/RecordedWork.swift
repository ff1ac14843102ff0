import Cluster
import HTTP
import Postgres
import Queue

/// Jobs that are about nothing: a call tells the recorder which lane and job it is for.
struct RecordedWork: LaneWork {
    let lane: String
    let line: RecorderLine

    func questions(of jobs: [Job], on database: isolated Connection) -> [Job.ID: Job.ID] {
        Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0.id) })
    }

    func call(_ job: Job.ID, _ departure: Departure) async -> Reply<Never> {
        guard departure.leave() else { return Reply(.void) }
        line.call("\(lane) \(job)")
        return Reply(.done())
    }

    func store(_ ends: [JobEnd<Never>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection) {}
}
