import HTTP
import Monitoring
import Processes
import Queue
import Tracing

/// The work of one worker in one lane: claim jobs while there is room, call when a slot comes, record the result,
/// repeat.
///
/// Everything that happens is an event, and one task handles events one after another, so nothing here needs a lock.
/// Jobs that gather while a claim or a write is under way form the next batch. So a single call is claimed and saved at
/// once, a thousand calls make large batches, and there is no timer to tune.
final class LaneLoop: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Event: Sendable {
        /// A slot, an overdue call or a claim is due.
        case alarm
        /// There may be jobs.
        case look
        /// The lane was halted, or has new limits: return slots that have not begun.
        case recall
        case claimed(Claimed?)
        /// The lane was empty. `isReady` is true if it has jobs now; otherwise each new job will be notified.
        case preparedToSleep(isReady: Bool)
        case returned(Job, Reply<ErasedWork.Answer>, Departure, at: Instant)
        case written([Job.ID])
        case stop
        case abandon
    }

    struct Claimed: Sendable {
        let claim: Claim
        let questions: [Job.ID: ErasedWork.Question]
        let hint: Hint?
        let clock: ServerClock
        let askedAt: Instant
        let answered: Instant
        /// When everything that the calls need had been read.
        let complete: Instant
    }

    /// The place where the next claim may begin. Without it a claim reads from the beginning of the lane's order, and
    /// finds jobs that came back to an earlier place.
    struct Hint: Sendable {
        let place: String
        let goodUntil: Instant
    }

    let lane: String
    let work: ErasedWork
    let worker: Worker
    let membership: Membership
    let writer: ResultWriter
    let log: Log
    let instruments: LaneInstruments?
    let inbox = Mailbox<Event>()

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
            tracer: worker.tracer)
    }

    /// The most calls in hand: no more than connections can be open, each of which is a file of the process.
    private var capacity: Int {
        work.sender == nil
            ? worker.callsAtOnce : min(worker.callsAtOnce, OpenFiles.limit / 2 / (worker.works.count + 1))
    }

    /// Handles a notification of ready jobs.
    func look() { inbox.send(.look) }
    /// Returns jobs that have not begun, and claims again.
    func recall() { inbox.send(.recall) }
    /// Ends at once. The jobs in hand are freed after the silence limit.
    func abandon() { inbox.send(.abandon) }

    /// Claims until the task is cancelled. Then makes the calls that have a slot, returns the other jobs that have not begun, and
    /// waits for the running calls.
    func run() async {
        // In a task of its own: a cancelled task receives no more events, but there are results to wait for.
        let check = Task { await waitForClockCheck() }
        let turns = Task { [self] in
            var state = State(capacity: capacity, clock: membership.clock)
            // Jobs that are claimed before the provider's server can be reached would be sent too late.
            if let sender = work.sender { await sender.http.warmUp(for: sender.server) }
            await check.value
            inbox.send(.alarm)
            await inbox.read { events in
                for event in events { handle(event, &state) }
                act(&state)
                return !state.isDone
            }
            state.alarm?.ring.cancel()
        }
        await withTaskCancellationHandler {
            await turns.value
        } onCancel: {
            // First: when the check ends, the loop acts, and a worker that does not know the clock must not claim.
            inbox.send(.stop)
            check.cancel()
        }
    }

    /// The state of one run between turns.
    struct State {
        var hand: LaneHand
        var clock: ServerClock
        var gathered: [ResultWriter.Entry] = []
        /// The traces of the jobs in hand.
        var traces = JobTraces()
        var writing: Task<Void, Never>?
        var isClaiming = false
        /// A recall came during a claim that may have been granted before it: return the jobs that the claim brings.
        var isClaimRecalled = false
        /// The first look comes as soon as the connection listens: jobs that were claimed before could not be recalled.
        var lookAt: Instant = .now + .seconds(1)
        var obstacle: Obstacle?
        /// The last claim, from the beginning of the lane's order, found too few jobs: an enqueue should notify us.
        var isHungry = false
        /// The last claims found several jobs: the next look comes soon, without a notification.
        var isLingering = false
        var preparation: Task<Void, Never>?
        /// Consecutive looks that found nothing although there are jobs: another transaction has locked them.
        var looksInVain = 0
        var hint: Hint?
        /// The longest of the recent claims that brought jobs. Nil before the first, which takes only one job: its slot
        /// may pass before the reply comes.
        var claimTime: Duration?
        var callLimit: Duration = .seconds(60)
        /// The earliest time at which the first of the running calls is overdue.
        var overdueAt: Instant?
        var alarm: (at: Instant, ring: Task<Void, Never>)?
        /// A claim failed, and its reply may have been lost: when to look for jobs that we hold without knowing it.
        var strayLooks: [Instant] = []
        /// Each look finds the database too far away, which is logged once a minute.
        var distanceReminder = Reminder(every: .seconds(60))
        /// The number of consecutive claims whose slots were missed, and the lease of the last one.
        var missedInARow = 0
        var lastMissed: Int?
        var isStopping = false
        var isAbandoned = false

        init(capacity: Int, clock: ServerClock = ServerClock()) {
            hand = LaneHand(capacity: capacity)
            self.clock = clock
            // The clock may have been set since then.
            self.clock.doubt()
        }

        var isDone: Bool { isAbandoned || isStopping && !isClaiming && hand.isEmpty }
    }

    func handle(_ event: Event, _ state: inout State) {
        switch event {
        case .alarm: break
        case .look: state.lookAt = .now
        case .recall:
            release(state.hand.takeWaiting(), &state)
            // These calls return as soon as they notice the recall.
            for call in state.hand.running.values { call.departure.recall() }
            state.isClaimRecalled = state.isClaiming
            state.lookAt = .now
        case .claimed(let claimed): acceptClaim(claimed, &state)
        case .preparedToSleep(let isReady): sleepOrLook(isReady, &state)
        case .returned(let job, let reply, let departure, let end):
            acceptReply(reply, to: job, departure, at: end, &state)
        case .written(let jobs):
            state.writing = nil
            state.hand.saved(jobs)
            if state.obstacle == .full { state.lookAt = .now }
        case .stop:
            state.isStopping = true
            state.preparation?.cancel()
        case .abandon:
            state.isAbandoned = true
            state.preparation?.cancel()
            state.writing?.cancel()
        }
    }

    func act(_ state: inout State) {
        if state.isAbandoned { return }
        // The slots of the next seconds are charged. Other workers can't use all of them, so these calls are still made.
        if state.isStopping { release(state.hand.takeWaiting(after: .now + .seconds(5)), &state) }
        beginDue(&state)
        endOverdue(&state)
        write(&state)
        claim(&state)
        prepareToSleep(&state)
        setAlarm(&state)
        instruments?.show(state)
    }
}
