import HTTP
import Postgres
import Processes
import Questions
import Queue

/// Writes the results of calls to the database: the ends of jobs, their answers and their counters in one transaction.
struct ResultWriter: Sendable {
    let work: ErasedWork
    let queue: JobQueue
    let database: Database
    let log: Log
    let instruments: LaneInstruments?
    var tracer: Tracer?
    var vitals: ProcessVitals?
    private let health = Locked(CallHealth())

    init(
        work: ErasedWork, queue: JobQueue, database: Database, log: Log, instruments: LaneInstruments?,
        tracer: Tracer? = nil, vitals: ProcessVitals? = nil
    ) {
        (self.work, self.queue, self.database, self.log) = (work, queue, database, log)
        (self.instruments, self.tracer, self.vitals) = (instruments, tracer, vitals)
    }

    struct Entry: Sendable {
        let report: JobReport
        let answer: ErasedWork.Answer?
        var trace: JobTrace?
    }

    /// Returns when the database has acknowledged the entries, or has replied that their jobs were lost. A job ends as
    /// failed only if the database can't store its values. Gives up only when the task is cancelled.
    func write(_ entries: [Entry], by worker: WorkerID) async {
        for entry in entries {
            switch health.withLock({ $0.change(after: entry.report.outcome, at: .now) }) {
            case .fails(let reason): log.warning("calls began to fail", ["reason": reason])
            case .recovered(let failed): log.info("calls succeed again", ["failed_calls": failed])
            case nil: break
            }
        }
        do {
            let began = ContinuousClock.now
            let (lost, wasCut) = try await store(entries, by: worker)
            instruments?.recordTimes.observe(began.duration(to: .now))
            tracer?.record(JobTrace.spans(of: entries, in: work.lane, recorded: began))
            if lost > 0, wasCut {
                log.info("results were stored before the connection broke, or came too late", ["jobs": lost])
            } else if lost > 0 {
                instruments?.late.add(lost)
                log.warning("results came too late: other workers have the jobs now", ["jobs": lost])
            }
        } catch is CancellationError {
            return
        } catch {
            if entries.count > 1 {
                // One bad result must not keep the others from being stored.
                for entry in entries { await write([entry], by: worker) }
            } else if let entry = entries.first {
                log.with(job: entry.report.job.id).error("can't store a result", ["error": "\(error)"])
                await giveUp(entry.report, by: worker)
            }
        }
    }

    /// Ends the job as failed, with as many attempts as that takes: no other process ends it while its worker lives,
    /// and it takes a place in the lane.
    private func giveUp(_ report: JobReport, by worker: WorkerID) async {
        let failure = report.ending(as: .failed(reason: "its result could not be stored"))
        var backoff = Backoff(longest: .seconds(60))
        while true {
            do {
                _ = try await store([Entry(report: failure, answer: nil)], by: worker)
                return
            } catch is CancellationError { return } catch {
                log.with(job: report.job.id).error("can't end the job", ["error": "\(error)"])
            }
            guard (try? await Task.sleep(for: backoff.next())) != nil else { return }
        }
    }

    /// Runs one transaction, repeated until the database accepts it, because an answer in hand has cost a call. Returns
    /// how many jobs had another owner, and if an attempt was cut off, which may have stored them.
    private func store(_ entries: [Entry], by worker: WorkerID) async throws -> (lost: Int, wasCut: Bool) {
        let wasCut = Locked(false)
        let lost = try await Database.retrying(
            where: { !$0.mayBeOfValues },
            beforePause: { [log, vitals, work] error in
                if error.isConnectionLost {
                    wasCut.withLock { $0 = true }
                } else if !error.isWorthRetrying {
                    vitals?.note(refusal: error.message, ofAnswersIn: work.lane)
                }
                log.warning("will try again to store results", ["error": "\(error)"])
            }
        ) { [self] in
            try await database.transaction { [self] in try transact(entries, by: worker, on: $0) }
        }
        vitals?.note(refusal: nil, ofAnswersIn: work.lane)
        return (lost, wasCut.withLock { $0 })
    }

    private func transact(
        _ entries: [Entry], by worker: WorkerID, on database: isolated Connection
    ) throws -> Int {
        let ends = try queue.finish(entries.map(\.report), in: work.lane, by: worker, on: database)
        let ended = entries.compactMap { entry -> JobEnd<ErasedWork.Answer>? in
            let job = entry.report.job
            return switch ends.fates[job.id] {
            case .ended: JobEnd(job: job, answer: entry.answer, deathReason: nil)
            case .dead: JobEnd(job: job, answer: nil, deathReason: entry.report.outcome.reason ?? "it failed")
            case .kept, nil: nil
            }
        }
        if !ended.isEmpty {
            try work.store(ended, ends.successors, ends.givenUp, database)
        }
        return entries.count - ends.fates.count
    }
}
