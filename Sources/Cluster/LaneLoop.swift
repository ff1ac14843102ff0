import Geocodes
import Geocoding
import Operations
import Postgres
import Queue

/// One worker's work in one lane: claim what there is room for, call, record, again.
struct LaneLoop: Sendable {
    let worker: Worker
    let membership: Membership
    let provider: any GeocodingProvider

    private enum Event { case look, finished(Job.ID) }

    /// Claims until the task is cancelled, then waits for the calls that run.
    func run() async {
        let (events, stream) = AsyncStream.makeStream(of: Event.self)
        let alarm = Task { await ring { stream.yield(.look) } }
        defer { alarm.cancel() }
        let recorder = Recorder(worker: worker, membership: membership, provider: provider.name)
        var calls: [Job.ID: Task<Void, Never>] = [:]
        stream.yield(.look)
        for await event in events {
            if case .finished(let id) = event { calls[id] = nil }
            for job in await claim(worker.callsAtOnce - calls.count) {
                // Not a child: a call that runs is finished even when this loop is cancelled.
                calls[job.id] = Task {
                    await recorder.record(job, outcome(of: job))
                    stream.yield(.finished(job.id))
                }
            }
        }
        for call in calls.values { await call.value }
    }

    /// Looks when a job is announced, and every second or so besides: a lost notification costs little.
    private func ring(_ look: @escaping @Sendable () -> Void) async {
        await withTaskGroup { group in
            group.addTask {
                for await hearing in worker.database.listen(on: [JobQueue.readyChannel]) {
                    switch hearing {
                    case .listening: look()
                    case .heard(let notification): if notification.payload == provider.name { look() }
                    }
                }
            }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(Double.random(in: 0.75...1.25)))) != nil { look() }
            }
        }
    }

    private func claim(_ room: Int) async -> [Job] {
        guard room > 0 else { return [] }
        do {
            return try await worker.database.run { [queue = worker.queue, id = membership.id, lane = provider.name] in
                try queue.claim(room, from: lane, for: id, on: $0).jobs
            }
        } catch is CancellationError {
            return []
        } catch {
            // The next look comes by itself.
            worker.log.with(lane: provider.name).warning("can't claim", ["error": "\(error)"])
            return []
        }
    }

    private func outcome(of job: Job) async -> Outcome {
        do {
            let questions = try await worker.database.run { [geocodes = worker.geocodes] in
                try geocodes.questions(job.subjects, of: job.id, on: $0)
            }
            let answers = try await provider.geocode(questions.map(\.address))
            guard answers.count == questions.count else {
                return .failed("the provider answered \(answers.count) of \(questions.count) questions", after: .zero)
            }
            return .answered(zip(questions, answers).map { ($0.id, $1) })
        } catch let error as ProviderError {
            switch error {
            case .busy(let retryAfter): return .failed("the provider was busy", after: retryAfter)
            case .unavailable(let reason): return .failed(reason, after: .zero)
            case .unreadable(let reason): return .failed(reason, after: nil)
            }
        } catch {
            return .failed("the database could not be asked", after: .zero)
        }
    }
}

/// How a call ended.
enum Outcome: Sendable {
    case answered([(id: Int, answer: Answer)])
    /// It may go better next time, `after` at the earliest; nil when it never will.
    case failed(String, after: Duration?)
}
