import Geocodes
import Operations
import Postgres
import Queue

/// Writes outcomes to the database: whatever gathered while the last write was under way is the next one.
///
/// One call in flight is saved at once; a thousand make large batches; and there is no timer to tune.
actor Recorder {
    private let worker: Worker
    private let membership: Membership
    private let provider: String
    private let log: Log
    private var gathered: [Entry] = []
    private var isWriting = false

    private struct Entry {
        let job: Job
        let outcome: Outcome
        let written: CheckedContinuation<Void, Never>
    }

    init(worker: Worker, membership: Membership, provider: String) {
        self.worker = worker
        self.membership = membership
        self.provider = provider
        log = worker.log.with(lane: provider)
    }

    /// Returns when the database has acknowledged the outcome, or has said that the job was lost.
    func record(_ job: Job, _ outcome: Outcome) async {
        await withCheckedContinuation { continuation in
            gathered.append(Entry(job: job, outcome: outcome, written: continuation))
            if !isWriting {
                isWriting = true
                Task { await writeAll() }
            }
        }
    }

    private func writeAll() async {
        while !gathered.isEmpty {
            let batch = gathered
            gathered = []
            await write(batch.map { ($0.job, $0.outcome) })
            for entry in batch { entry.written.resume() }
        }
        isWriting = false
    }

    private func write(_ batch: [(job: Job, outcome: Outcome)]) async {
        do {
            let lost = try await store(batch)
            if lost > 0 { log.warning("results came too late: the jobs belong to others by now", ["jobs": lost]) }
        } catch {
            if batch.count > 1 {
                // One bad result must not keep the others from being stored.
                for entry in batch { await write([entry]) }
            } else if let entry = batch.first {
                log.with(job: entry.job.id).error("can't store a result", ["error": "\(error)"])
                await giveUp(entry.job)
            }
        }
    }

    private func giveUp(_ job: Job) async {
        do {
            _ = try await store([(job, .failed("its result could not be stored", after: nil))])
        } catch {
            log.with(job: job.id).error("can't put the job back", ["error": "\(error)"])
        }
    }

    /// One transaction, repeated while the database is only away for a moment. Returns how many jobs
    /// were not ours any more.
    private func store(_ batch: [(job: Job, outcome: Outcome)]) async throws -> Int {
        var backoff = Backoff()
        while true {
            do {
                let results = Results(batch: batch, worker: worker, id: membership.id, provider: provider)
                return try await worker.database.transaction { try results.write(on: $0) }
            } catch let error as DatabaseError where error.isWorthRetrying {
                log.warning("will store results again", ["error": "\(error)"])
                try await Task.sleep(for: backoff.next())
            }
        }
    }
}

/// Outcomes on their way into the database.
private struct Results: Sendable {
    let batch: [(job: Job, outcome: Outcome)]
    let worker: Worker
    let id: WorkerID
    let provider: String

    /// A job's end, its result and its counters are one transaction, so this lives in the room that
    /// knows the tables of all three. Returns how many jobs were not ours any more.
    func write(on database: isolated Connection) throws -> Int {
        let (queue, geocodes) = (worker.queue, worker.geocodes)
        let reports = batch.map { job, outcome in
            switch outcome {
            case .answered: JobReport(job, .done())
            case .failed(let reason, let pause?): JobReport(job, .retry(reason: reason, after: pause))
            case .failed(let reason, nil): JobReport(job, .failed(reason: reason))
            }
        }
        let fates = try queue.finish(reports, in: provider, by: id, on: database).fates
        for (job, outcome) in batch {
            switch (fates[job.id], outcome) {
            case (.ended, .answered(let answers)): try geocodes.record(answers, from: provider, on: database)
            case (.dead, .failed(let reason, _)):
                try geocodes.fail(job.subjects, because: reason, from: provider, on: database)
            default: break
            }
        }
        return batch.count - fates.count
    }
}
