import HTTP
import Processes
import Questions
import Queue

/// All decisions about the work of one worker in one lane: when to claim, to call, to write results, and to sleep.
///
/// It has no task, no clock and no connection. Events and the time go in, and actions come out. ``LaneLoop`` performs
/// the actions, and reports their results as further events.
struct LaneMachine {
    typealias Instant = ContinuousClock.Instant

    enum Event: Sendable {
        /// A slot, an overdue call or a claim is due.
        case alarm
        /// There may be jobs.
        case look
        /// The ``Lookout`` has looked. `crowd` is at least the lane's crowd.
        case lookedOut(hasJobs: Bool, crowd: Double)
        /// The lane was halted, or has new limits: return slots that have not begun.
        case recall
        /// The reply to a claim; nil if it failed.
        indirect case claimed(Claimed?)
        /// The lane was empty. Either it has jobs now, or each new job will be notified. Nil if neither is known.
        case preparedToSleep(SleepAdvice?)
        case returned(Job.ID, Reply<ErasedWork.Answer>, Departure, at: Instant)
        case written([Job.ID])
        case stop
        /// End at once. The jobs in hand are freed after the silence limit.
        case abandon
    }

    enum Action {
        // Events and actions of calls are frequent: larger ones are stored elsewhere.
        indirect case claim(ClaimOrder)
        case call(LaneHand.Call, SpanContext?)
        /// The call with this departure is overdue.
        case cancel(Departure)
        case write([ResultWriter.Entry])
        /// Sleep for up to this time, unless there are jobs.
        case prepareToSleep(for: Duration)
        case endPreparation
        /// There is more work than this worker has room for: notify the other workers of the lane.
        case wakeOthers
        /// Send ``Event/alarm`` at this instant. It replaces an earlier alarm.
        case ring(at: Instant)
        /// The worker was removed as dead, but is alive: register it again, then look.
        case rejoin
        case warn(String, KeyValuePairs<StaticString, any LogValue>)
    }

    struct ClaimOrder {
        let most: Int
        let hint: Hint?
        /// The expected time from the claim until everything that its calls need has been read.
        let duration: Duration
        let clock: ServerClock
        /// A reply may have been lost, so jobs of this worker that are not among these are released; nil for none.
        let jobsInHand: [Job.ID]?
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

        /// True if another claim would find nothing either, until the lane changes or a job is due. With a hint, there
        /// may be jobs before it.
        var isInVain: Bool {
            switch claim.obstacle {
            case .blocked, .paused, .copied, .quiet: true
            case .empty, .scheduled: hint == nil
            case nil, .tokens, .full, .clock, .tooFar, .struckOff: false
            }
        }
    }

    /// The place where the next claim may begin. Without it a claim reads from the beginning of the lane's order, and
    /// finds jobs that came back to an earlier place.
    struct Hint: Sendable {
        let place: String
        let goodUntil: Instant
    }

    enum Phase { case open, stopping, abandoned }

    enum ClaimState: Equatable {
        /// The next look is at `next`. If the lane `isFull`, it is made when the next result is stored, which makes room.
        case idle(next: Instant, isFull: Bool)
        /// A look that becomes due now adds nothing: the worker prepares to sleep after a claim that finds no jobs, and
        /// that looks again. But if a recall came, the claim may have been granted before it: return its jobs.
        case underWay(isRecalled: Bool)
    }

    /// The consequence of a claim that, from the beginning of the lane's order, found fewer jobs than there was room.
    enum Rest {
        case none
        /// The last claims found several jobs: the next look comes soon, without a notification.
        case lingering
        /// An enqueue should notify us: prepare to sleep.
        case due
    }

    let poll: Duration
    let tracer: Tracer?
    let instruments: LaneInstruments?
    /// The time from the beginning of a call until it can be sent.
    var lead: Duration = .zero

    var phase = Phase.open
    var claim: ClaimState
    var rest = Rest.none
    var isPreparing = false
    /// The last claim found nothing to claim, and time alone changes that only at ``nextLook``.
    var isWaiting = false
    /// When this worker may wake others of its crowd again.
    var nextWaking: Instant
    /// Consecutive looks that found nothing although there are jobs: another transaction has locked them.
    var looksInVain = 0

    var hand: LaneHand
    var clock: ServerClock
    /// The traces of the jobs in hand.
    var traces = JobTraces()
    var gathered: [ResultWriter.Entry] = []
    /// One of them concerns all workers: a failure, a complaint, or an unused slot.
    var isUrgent = false
    /// When they are written, while they wait for others.
    var writeAt: Instant?
    var isWriting = false

    /// How many workers share the claims of this lane: each makes one of `crowd` claims. 1 if all should work.
    var crowd = 1.0
    /// The result of the last draw: true if a worker of the crowd makes this claim.
    var isCalled: Bool { crowd <= 1 || Double.random(in: 0..<crowd) < 1 }

    var hint: Hint?
    /// The longest of the recent claims that brought jobs. Nil before the first.
    var claimTime: Duration?
    var callLimit: Duration = .seconds(60)
    /// The earliest time at which the first of the running calls is overdue.
    var overdueAt: Instant?
    var alarmAt: Instant?
    /// A claim failed, and its reply may have been lost: when to look for jobs that we hold without knowing it.
    var strayLooks: [Instant] = []
    /// Each look finds the database too far away, which is logged once a minute.
    var nextDistanceWarning: Instant?
    /// The number of consecutive claims whose slots were missed, and the lease of the last one.
    var missed = (claims: 0, lease: Int?.none)
    /// Set until a first reply comes before its slot, or a call leaves in its slot from this instant on: this worker may be
    /// too slow. Meanwhile it holds one job at a time, because the slots of a full hand would all be void, and no other
    /// worker could use them.
    var unprovenSince: Instant?

    init(
        capacity: Int, clock: ServerClock = ServerClock(), crowd: Double = 1, poll: Duration = .seconds(1),
        tracer: Tracer? = nil, instruments: LaneInstruments? = nil, at now: Instant = .now
    ) {
        hand = LaneHand(capacity: capacity)
        self.clock = clock
        // The clock may have been set since then.
        self.clock.doubt()
        self.poll = poll
        self.tracer = tracer
        self.instruments = instruments
        nextWaking = now
        unprovenSince = now
        self.crowd = crowd
        // Of many workers that start together only some claim at once. The lookout of each finds the lanes with jobs.
        isWaiting = crowd > 1
        // The first look comes as soon as the connection listens: jobs that were claimed before could not be recalled.
        claim = .idle(next: now + (isWaiting ? Self.restInVain(poll) : .seconds(1)), isFull: false)
    }

    var isDone: Bool {
        phase == .abandoned || phase == .stopping && nextLook != nil && hand.isEmpty
    }

    /// Handles events that came together, and returns what to do next.
    mutating func handle(_ events: [Event], at now: Instant) -> [Action] {
        var actions: [Action] = []
        for event in events where phase != .abandoned { handle(event, at: now, &actions) }
        if phase == .abandoned { return [] }
        // Slots within 5 s are charged already: make those calls, return the later ones.
        if phase == .stopping { release(hand.takeWaiting(after: now + .seconds(5))) }
        beginDue(at: now, &actions)
        if let since = unprovenSince, hand.hasLeft(since: since) { unprovenSince = nil }
        endOverdue(at: now, &actions)
        write(at: now, &actions)
        claimIfDue(at: now, &actions)
        prepareToSleep(at: now, &actions)
        setAlarm(at: now, &actions)
        instruments?.show(hand)
        return actions
    }

    private mutating func handle(_ event: Event, at now: Instant, _ actions: inout [Action]) {
        switch event {
        case .alarm: break
        case .look: if isCalled { look(at: now) }
        case .lookedOut(let hasJobs, let crowd):
            shrinkCrowd(to: crowd, at: now)
            if hasJobs, isWaiting { look(at: now) }
        case .recall:
            release(hand.takeWaiting())
            // These calls return as soon as they notice the recall.
            for running in hand.running.values { running.call.departure.recall() }
            if case .underWay = claim { claim = .underWay(isRecalled: true) }
            if isCalled { look(at: now) }
        case .claimed(let claimed): acceptClaim(claimed, at: now, &actions)
        case .preparedToSleep(let advice): sleepOrLook(advice, at: now)
        case .returned(let job, let reply, let departure, let end):
            acceptReply(reply, to: job, departure, at: end, now, &actions)
        case .written(let jobs):
            isWriting = false
            hand.saved(jobs)
            if case .idle(_, isFull: true) = claim { look(at: now) }
        case .stop:
            phase = .stopping
            if isPreparing { actions.append(.endPreparation) }
        case .abandon: phase = .abandoned
        }
    }

    /// Wakes the loop for the next event: a slot, an overdue call, a claim.
    private mutating func setAlarm(at now: Instant, _ actions: inout [Action]) {
        let next = roomToClaim > 0 ? nextLook : nil
        // No event tells that a call has left.
        let proof = unprovenSince != nil && !hand.running.isEmpty ? now + .milliseconds(20) : nil
        let moments = [hand.nextOpening.map { $0 - lead }, overdueAt, next, proof, writeAt]
        guard let at = moments.compactMap(\.self).min() else { return }
        // Waking too early does no harm.
        if let alarmAt, alarmAt <= at, alarmAt > now { return }
        alarmAt = at
        actions.append(.ring(at: at))
    }
}
