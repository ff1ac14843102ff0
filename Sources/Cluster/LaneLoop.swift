import Glibc
import HTTP
import Postgres
import Processes
import Questions
import Queue

/// The work of one worker in one lane: claim jobs while there is room, call when a slot comes, record the result,
/// repeat.
///
/// Everything that happens is an event. One task handles events one after another and performs the actions that
/// ``LaneMachine`` decides on, so nothing here needs a lock. Jobs that gather while a claim or a write is under way form
/// the next batch. So a single call is claimed and saved at once, a thousand calls make large batches, and there is no
/// timer to tune.
final class LaneLoop: Sendable {
    typealias Instant = ContinuousClock.Instant

    let lane: String
    let work: ErasedWork
    let worker: Worker
    let membership: Membership
    let writer: ResultWriter
    let log: Log
    let instruments: LaneInstruments?
    private let inbox = Mailbox<LaneMachine.Event>()
    private let waits = Locked(false)

    /// True if the last claim found nothing to claim, and only new jobs or a change of the lane can help.
    var isWaiting: Bool { waits.withLock { $0 } }

    init(_ work: some LaneWork, of worker: Worker, membership: Membership) {
        let work = ErasedWork(work)
        self.work = work
        self.worker = worker
        self.membership = membership
        lane = work.lane
        log = worker.log.with(lane: work.lane)
        instruments = worker.instruments?.lane(work.lane)
        writer = ResultWriter(
            work: work, queue: worker.queue, database: worker.database, log: log, instruments: instruments,
            tracer: worker.tracer, vitals: worker.vitals)
    }

    /// The most calls in hand: no more than connections can be open, each of which is a file of the process.
    private var capacity: Int {
        work.sender == nil
            ? worker.callsAtOnce : min(worker.callsAtOnce, OpenFiles.limit / 2 / (worker.works.count + 1))
    }

    func send(_ event: LaneMachine.Event) { inbox.send(event) }

    /// Claims until the task is cancelled. Then makes the calls that have a slot, returns the other jobs that have not
    /// begun, and waits for the running calls.
    func run() async {
        // In a task of its own: a cancelled task receives no more events, but there are results to wait for.
        let check = Task { await waitForClockCheck() }
        let turns = Task { [self] in
            var machine = LaneMachine(
                capacity: capacity, clock: membership.clock, crowd: membership.crowd, poll: worker.poll,
                tracer: worker.tracer, instruments: instruments)
            // Jobs that are claimed before the provider's server can be reached would be sent too late. So would those
            // that wait until the gazetteer is unpacked.
            await warmUp()
            if let sender = work.sender { await sender.http.warmUp(for: sender.server) }
            await check.value
            inbox.send(.alarm)
            var tasks = Tasks()
            await inbox.read { events in
                for case .returned(_, _, let departure, _) in events { tasks.calls[ObjectIdentifier(departure)] = nil }
                machine.lead = work.sender?.http.lead ?? .zero
                for action in machine.handle(events, at: .now) { perform(action, &tasks) }
                waits.withLock { $0 = machine.isWaiting }
                return !machine.isDone
            }
            for task in [tasks.alarm, tasks.preparation, tasks.writing] { task?.cancel() }
        }
        await withTaskCancellationHandler {
            await turns.value
        } onCancel: {
            // First: when the check ends, the loop acts, and a worker that does not know the clock must not claim.
            inbox.send(.stop)
            check.cancel()
        }
    }

    /// Prepares the work on a thread of its own, because it takes up to seconds. The thread is nice: workers that are already
    /// at work on this machine must not miss slots.
    private func warmUp() async {
        await withCheckedContinuation { continuation in
            startThread { [work] in
                // On Linux this concerns only this thread.
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                work.warmUp()
                continuation.resume()
            }
        }
    }

    private struct Tasks {
        /// The running calls, by their departures.
        var calls: [ObjectIdentifier: Task<Void, Never>] = [:]
        var writing, preparation, alarm: Task<Void, Never>?
    }

    private func perform(_ action: LaneMachine.Action, _ tasks: inout Tasks) {
        switch action {
        case .claim(let order): Task { inbox.send(.claimed(await claim(order))) }
        case .call(let call, let context):
            let departure = call.departure
            tasks.calls[ObjectIdentifier(departure)] = Task { [work, inbox] in
                let reply =
                    if let context {
                        await TraceScope.$current.withValue(context) { await work.call(call.question, departure) }
                    } else {
                        await work.call(call.question, departure)
                    }
                inbox.send(.returned(call.job.id, reply, departure, at: .now))
            }
        case .cancel(let departure): tasks.calls[ObjectIdentifier(departure)]?.cancel()
        case .write(let entries):
            tasks.writing = Task { [writer, membership, inbox] in
                await writer.write(entries, by: membership.id)
                inbox.send(.written(entries.map(\.report.job.id)))
            }
        case .prepareToSleep(let length):
            tasks.preparation = Task { [inbox] in inbox.send(.preparedToSleep(await advice(for: length))) }
        case .endPreparation: tasks.preparation?.cancel()
        case .ring(let instant):
            tasks.alarm?.cancel()
            tasks.alarm = Task { [inbox] in
                if (try? await Task.sleep(until: instant, tolerance: .zero)) != nil { inbox.send(.alarm) }
            }
        case .wakeOthers:
            Task {
                // Without it the others find the jobs by themselves, later.
                try? await membership.run { [queue = worker.queue, lane] in try queue.wakeWorkers(of: lane, on: $0) }
            }
        case .rejoin:
            Task {
                do { try await membership.beat() } catch { log.warning("can't register again", ["error": "\(error)"]) }
                inbox.send(.look)
            }
        case .warn(let message, let fields): log.warning(message, fields)
        }
    }

    func claim(_ order: LaneMachine.ClaimOrder) async -> LaneMachine.Claimed? {
        let (queue, work, lane, id) = (worker.queue, work, lane, membership.id)
        let lead = order.duration + (work.sender?.http.readyIn ?? .zero)
        do {
            return try await membership.run { [self] database in
                if let jobs = order.jobsInHand {
                    _ = try queue.releaseStrays(in: lane, of: id, knowing: jobs, on: database)
                }
                // A claim is too slow as a measurement for slots that are milliseconds wide: it writes, and waits for
                // the disk.
                var clock = order.clock
                try clock.measure(of: queue, log, on: database)
                clock.widen(to: .now)
                let askedAt = Instant.now
                let claim = try queue.claim(
                    order.most, from: lane, for: id, hint: order.hint?.place, lead: lead,
                    uncertainty: clock.uncertainty, isSteady: clock.isSteady,
                    expecting: clock.expected(at: askedAt, usual: lead), on: database)
                let answered = Instant.now
                let questions = claim.jobs.isEmpty ? [:] : try work.questions(claim.jobs, database)
                return LaneMachine.Claimed(
                    claim: claim, questions: questions, hint: order.hint, clock: clock, askedAt: askedAt,
                    answered: answered, complete: .now)
            }
        } catch {
            log.warning("can't claim", ["error": "\(error)"])
            return nil
        }
    }

    /// Returns `.look` if there are jobs, or `.sleep` if each enqueue in the time from now on notifies us; nil if the
    /// database can't be asked.
    private func advice(for length: Duration) async -> SleepAdvice? {
        var pause = Duration.milliseconds(1)
        while true {
            do {
                let next = try await membership.run { [worker, lane] in
                    try worker.queue.prepareToSleep(in: lane, for: length, on: $0)
                }
                switch next {
                case .sleep, .look: return next
                case .again: break
                case .busy:
                    try await Task.sleep(for: pause)
                    pause = min(pause * 2, .milliseconds(50))
                }
            } catch {
                return nil
            }
        }
    }
}
