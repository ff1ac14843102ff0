import HTTP
import Operations
import Queue
import Tracing

/// One worker's work in one lane: claim what there is room for, call when the slot comes, record, again.
///
/// Everything that happens is an event, and one task takes them in turn, so nothing here needs a lock. What gathers
/// while a claim or a write is under way is the next one: a single call is claimed and saved at once, a thousand make
/// large batches, and there is no timer to tune.
final class LaneLoop: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Event: Sendable {
        /// The next thing to be done is due.
        case alarm
        /// There may be jobs.
        case look
        /// The lane was halted, or has other limits: slots not begun are handed back.
        case recall
        case claimed(Claimed?)
        /// The lane was empty. Whether it has jobs now; false when each job from now on will be notified.
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
        /// When all was there that the calls need.
        let complete: Instant
    }

    /// Where the next claim may begin to look. Without it a claim looks from the very beginning, and finds what came
    /// back to an earlier place.
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

    /// No more calls in hand than there can be connections, each of which is a file of the process.
    private var capacity: Int {
        work.sender == nil
            ? worker.callsAtOnce : min(worker.callsAtOnce, OpenFiles.limit / 2 / (worker.works.count + 1))
    }

    /// There may be jobs.
    func look() { inbox.send(.look) }
    /// Hand back what has not begun, and look again.
    func recall() { inbox.send(.recall) }
    /// End at once. The jobs in hand are freed when the silence limit ends.
    func abandon() { inbox.send(.abandon) }

    /// Claims until the task is cancelled; then hands back what has not begun, and waits for the calls that run.
    func run() async {
        // A task of its own: what is cancelled hears no more events, but there are results to wait for.
        let check = Task { await waitForClockCheck() }
        let turns = Task { [self] in
            var state = State(capacity: capacity, clock: membership.clock)
            // What is claimed before the way to the provider is known would leave too late.
            if let sender = work.sender { await sender.http.warmUp(for: sender.server) }
            await check.value
            inbox.send(.alarm)
            await inbox.read { events in
                for event in events { take(event, &state) }
                act(&state)
                return !state.isDone
            }
            state.alarm?.ring.cancel()
        }
        await withTaskCancellationHandler {
            await turns.value
        } onCancel: {
            check.cancel()
            inbox.send(.stop)
        }
    }

    /// What one run knows from turn to turn.
    struct State {
        var hand: LaneHand
        var clock: ServerClock
        var gathered: [ResultWriter.Entry] = []
        /// Of the jobs in hand that are traced.
        var traces = JobTraces()
        var writing: Task<Void, Never>?
        var isClaiming = false
        /// A recall came while a claim was under way, which may have been granted before: what it brings is handed back.
        var isClaimRecalled = false
        /// The first look comes with the first word that we listen: what is claimed before it could not be recalled.
        var lookAt: Instant = .now + .seconds(1)
        var obstacle: Obstacle?
        /// The last claim found too little, from the very beginning: an enqueue should notify us.
        var isHungry = false
        /// The last claims found several: the next look comes soon, without a notification.
        var isLingering = false
        var preparation: Task<Void, Never>?
        /// Consecutive looks that found nothing although there was something: another worker has it locked.
        var looksInVain = 0
        var hint: Hint?
        /// How long claims that bring jobs take, of the last ones at most. Nil before the first, which takes one job only: its slot may
        /// go by before the answer comes.
        var claimTime: Duration?
        var callLimit: Duration = .seconds(60)
        /// When the first of the calls that run is overdue, at the earliest.
        var overdueAt: Instant?
        var alarm: (at: Instant, ring: Task<Void, Never>)?
        /// A claim failed, and its answer may have been lost: when to look for jobs that are ours without our knowing.
        var strayLooks: [Instant] = []
        /// Each look finds the database too far away, and one a minute says so.
        var distanceReminder = Reminder(every: .seconds(60))
        /// Claims of which slots were missed, one after another, and the last of them.
        var missedInARow = 0
        var lastMissed: Int?
        var isStopping = false
        var isAbandoned = false

        init(capacity: Int, clock: ServerClock = ServerClock()) {
            hand = LaneHand(capacity: capacity)
            self.clock = clock
            // It may have been set since.
            self.clock.doubt()
        }

        var isDone: Bool { isAbandoned || isStopping && !isClaiming && hand.isEmpty }
    }

    func take(_ event: Event, _ state: inout State) {
        switch event {
        case .alarm: break
        case .look: state.lookAt = .now
        case .recall:
            release(state.hand.takeWaiting(), &state)
            // They come back as soon as they have noticed.
            for call in state.hand.running.values { call.departure.recall() }
            state.isClaimRecalled = state.isClaiming
            state.lookAt = .now
        case .claimed(let claimed): takeIn(claimed, &state)
        case .preparedToSleep(let isReady): sleepOrLook(isReady, &state)
        case .returned(let job, let reply, let departure, let end):
            takeIn(reply, to: job, departure, at: end, &state)
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
        if state.isStopping { release(state.hand.takeWaiting(), &state) }
        beginDue(&state)
        endOverdue(&state)
        write(&state)
        claim(&state)
        prepareToSleep(&state)
        setAlarm(&state)
        instruments?.show(state)
    }
}
