import Operations
import Postgres
import Queue

/// One worker's work in one lane: claim what there is room for, call when the slot comes, record, again.
///
/// All that happens is an event, and one task takes them in turn, so nothing here needs a lock. Whatever gathers
/// while a claim or a write is under way is the next one: a single call is claimed and saved at once, a thousand make
/// large batches, and there is no timer to tune.
final class LaneLoop: Sendable {
    typealias Instant = ContinuousClock.Instant
    typealias Work = ErasedWork
    typealias Hand = LaneHand<Work.Question>
    typealias Entry = ResultWriter<Work>.Entry

    private enum Event: Sendable {
        /// The next thing to be done is due.
        case alarm
        /// There may be jobs.
        case look
        /// The lane was halted, or has other limits: slots not begun are handed back.
        case recall
        case claimed(Claimed?)
        case returned(Job, Reply<Work.Answer>, begunAt: Instant, took: Duration)
        case missed(Job)
        case written([Job.ID])
        case stop
        case abandon
    }

    private struct Claimed: Sendable {
        let claim: Claim
        let questions: [Job.ID: Work.Question]
        let hint: Hint?
        let clock: ServerClock
        let askedAt: Instant
        let answered: Instant
    }

    /// Where the next claim may begin to look. Without it a claim looks from the very beginning, and finds what came
    /// back to an earlier place.
    private struct Hint: Sendable {
        let place: String
        let goodUntil: Instant
    }

    let lane: String
    private let work: Work
    private let worker: Worker
    private let membership: Membership
    private let writer: ResultWriter<Work>
    private let log: Log
    private let inbox = Mailbox<Event>()

    init(_ work: some LaneWork, of worker: Worker, membership: Membership) {
        let work = ErasedWork(work)
        self.work = work
        self.worker = worker
        self.membership = membership
        lane = work.lane
        log = worker.log.with(lane: work.lane)
        writer = ResultWriter(work: work, queue: worker.queue, database: worker.database, log: log)
    }

    /// There may be jobs.
    func look() { inbox.send(.look) }
    /// Hand back what has not begun, and look again.
    func recall() { inbox.send(.recall) }
    /// End at once, and leave what is in hand to the leases.
    func abandon() { inbox.send(.abandon) }

    /// Claims until the task is cancelled; then hands back what has not begun, and waits for the calls that run.
    func run() async {
        // A task of its own: what is cancelled hears no more events, but there are results to wait for.
        let turns = Task { [self] in
            var state = State(capacity: worker.callsAtOnce)
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
            inbox.send(.stop)
        }
    }

    /// What one run knows from turn to turn.
    private struct State {
        var hand: Hand
        var clock = ServerClock()
        var gathered: [Entry] = []
        var writing: Task<Void, Never>?
        var isClaiming = false
        /// The first look comes with the first word that we listen: what is claimed before it could not be recalled.
        var lookAt: Instant = .now + .seconds(1)
        var obstacle: Obstacle?
        var hint: Hint?
        /// How long claims take, of late at most.
        var claimTime: Duration = .zero
        var callLimit: Duration = .seconds(60)
        /// When the first of the calls that run is overdue, at the earliest.
        var overdueAt: Instant?
        var alarm: (at: Instant, ring: Task<Void, Never>)?
        /// A claim failed, and its answer may have been lost: when to look for jobs that are ours without our knowing.
        var strayLooks: [Instant] = []
        /// Claims of which slots were missed, one after another, and the last of them.
        var missedInARow = 0
        var lastMissed: Int?
        var isStopping = false
        var isAbandoned = false

        init(capacity: Int) {
            hand = Hand(capacity: capacity)
        }

        var isDone: Bool { isAbandoned || isStopping && !isClaiming && hand.isEmpty }
    }

    private func take(_ event: Event, _ state: inout State) {
        switch event {
        case .alarm: break
        case .look: state.lookAt = .now
        case .recall:
            release(state.hand.takeWaiting(), &state)
            state.lookAt = .now
        case .claimed(let claimed): takeIn(claimed, &state)
        case .returned(let job, let reply, let begunAt, let took):
            // Nil when it was overdue and given up before.
            guard state.hand.end(job.id) != nil else { break }
            state.missedInARow = 0
            let startedAt = state.clock.shown(at: begunAt)
            save(JobReport(job, reply.outcome, startedAt: startedAt, took: took), reply.answer, &state)
        case .missed(let job): if state.hand.end(job.id) != nil { miss(job, &state) }
        case .written(let jobs):
            state.writing = nil
            state.hand.saved(jobs)
            if state.obstacle == .full { state.lookAt = .now }
        case .stop: state.isStopping = true
        case .abandon:
            state.isAbandoned = true
            state.writing?.cancel()
        }
    }

    private func act(_ state: inout State) {
        if state.isAbandoned { return }
        if state.isStopping { release(state.hand.takeWaiting(), &state) }
        beginDue(&state)
        endOverdue(&state)
        write(&state)
        claim(&state)
        setAlarm(&state)
    }

    // MARK: Claiming

    private func claim(_ state: inout State) {
        let room = state.hand.room
        guard !state.isClaiming, !state.isStopping, room > 0, state.lookAt <= .now else { return }
        // A write that is under way makes more room in a moment: a few large claims cost less than many small ones.
        if state.writing != nil, room * 2 < state.hand.capacity { return }
        state.isClaiming = true
        let hint = state.hint.flatMap { $0.goodUntil > .now ? $0 : nil }
        let clock = state.clock
        let isTimeForStrays = state.strayLooks.contains { $0 <= .now }
        let lead = state.claimTime
        let known = isTimeForStrays ? state.hand.jobs : nil
        Task { inbox.send(.claimed(await claim(room, hint: hint, lead: lead, clock, releasingAllBut: known))) }
    }

    private func claim(
        _ room: Int, hint: Hint?, lead: Duration, _ clock: ServerClock, releasingAllBut known: [Job.ID]?
    ) async -> Claimed? {
        let (queue, work, lane, id) = (worker.queue, work, lane, membership.id)
        do {
            return try await worker.database.run { database in
                if let known { _ = try queue.releaseStrays(in: lane, of: id, knowing: known, on: database) }
                let clock = try learn(clock, on: database)
                let askedAt = Instant.now
                let claim = try queue.claim(room, from: lane, for: id, hint: hint?.place, lead: lead, on: database)
                let answered = Instant.now
                let questions = claim.jobs.isEmpty ? [:] : try work.questions(of: claim.jobs, on: database)
                return Claimed(
                    claim: claim, questions: questions, hint: hint, clock: clock, askedAt: askedAt, answered: answered)
            }
        } catch {
            log.warning("can't claim", ["error": "\(error)"])
            return nil
        }
    }

    /// Asks what time it is until that is known well enough for slots that are milliseconds wide. A claim is too slow a
    /// question: it writes, and waits for the disk.
    private func learn(_ clock: ServerClock, on database: isolated Connection) throws -> ServerClock {
        var clock = clock
        for _ in 1...5 {
            if let width = clock.width(at: .now), width < .milliseconds(1) { break }
            let sent = Instant.now
            let shown = try worker.queue.clock(on: database)
            clock.learn(sent: sent, answered: .now, shown: shown)
        }
        return clock
    }

    private func takeIn(_ claimed: Claimed?, _ state: inout State) {
        state.isClaiming = false
        guard let claimed else {
            state.lookAt = .now + .seconds(Double.random(in: 0.75...1.25))
            // Once more when a server that did not hear of our end has surely given up.
            state.strayLooks = [.now, .now + .seconds(15)]
            return
        }
        state.strayLooks.removeAll { $0 <= claimed.askedAt }
        let claim = claimed.claim
        state.clock = claimed.clock
        state.claimTime = max(claimed.askedAt.duration(to: claimed.answered), state.claimTime * 0.8)
        state.callLimit = claim.callLimit
        state.obstacle = claim.obstacle
        state.lookAt = .now + pause(after: claimed)
        state.hint = nextHint(after: claimed)
        var calls: [Hand.Waiting] = []
        for job in claim.jobs {
            if let question = claimed.questions[job.id] {
                calls.append(
                    Hand.Waiting(
                        job: job, question: question,
                        opens: job.slot.map { state.clock.earliest($0.opens) } ?? claimed.answered,
                        closes: job.slot.map { state.clock.latest($0.closes) }))
            } else {
                save(JobReport(job, .done()), nil, &state)
            }
        }
        state.hand.take(calls)
        if claim.obstacle == .struckOff { rejoin() }
    }

    /// How long to wait before the next look. Notifications come earlier; without any, this is what a lost one costs.
    private func pause(after claimed: Claimed) -> Duration {
        let poll = Duration.seconds(Double.random(in: 0.75...1.25))
        let lookIn = claimed.claim.lookIn ?? poll
        return switch claimed.claim.obstacle {
        case nil: .zero
        case .empty, .scheduled: claimed.hint != nil ? .zero : min(lookIn, poll)
        // The slots of the next two seconds are in somebody's hands: not everyone need hurry for the one after them.
        case .tokens: min(max(lookIn, poll / 2), poll * 5)
        case .full: poll / 4
        case .blocked, .paused, .quiet, .struckOff: min(lookIn, poll)
        }
    }

    private func nextHint(after claimed: Claimed) -> Hint? {
        guard let place = claimed.claim.hint, ![.empty, .scheduled].contains(claimed.claim.obstacle) else { return nil }
        // A look from the very beginning may be slow. Then it comes less often, and costs a twentieth of the time.
        let goodUntil =
            claimed.hint?.goodUntil ?? claimed.answered
            + max(.seconds(1), claimed.askedAt.duration(to: claimed.answered) * 20)
        return Hint(place: place, goodUntil: goodUntil)
    }

    /// Was taken for dead, and lives: a new number, and on.
    private func rejoin() {
        Task { [membership, log, inbox] in
            do { try await membership.beat() } catch {
                log.warning("can't join again", ["error": "\(error)"])
            }
            inbox.send(.look)
        }
    }

    // MARK: Calling

    private func beginDue(_ state: inout State) {
        let now = Instant.now
        for due in state.hand.takeDue(now) {
            guard due.closes.map({ now <= $0 }) ?? true else {
                miss(due.job, &state)
                continue
            }
            let call = Task { [work, inbox] in
                let begunAt = Instant.now
                // Looked at here, with nothing between it and the call: a process may be stopped at any moment.
                guard due.closes.map({ begunAt <= $0 }) ?? true else { return inbox.send(.missed(due.job)) }
                let reply = await work.call(due.question)
                inbox.send(.returned(due.job, reply, begunAt: begunAt, took: begunAt.duration(to: .now)))
            }
            state.hand.begin(due.job, at: now, call)
            state.overdueAt = state.overdueAt ?? now + state.callLimit
        }
    }

    private func endOverdue(_ state: inout State) {
        guard let overdueAt = state.overdueAt, overdueAt <= .now else { return }
        for overdue in state.hand.takeOverdue(begunBefore: .now - state.callLimit) {
            overdue.call.cancel()
            let reason = "no answer within \(state.callLimit.text)"
            save(
                JobReport(
                    overdue.job, .retry(reason: reason), startedAt: state.clock.shown(at: overdue.begunAt),
                    took: state.callLimit),
                nil, &state)
        }
        state.overdueAt = state.hand.oldestBeginning.map { $0 + state.callLimit }
    }

    private func miss(_ job: Job, _ state: inout State) {
        save(JobReport(job, .void), nil, &state)
        // Slots of one claim go by together: a claim counts once, however many it brought.
        guard job.lease != state.lastMissed else { return }
        state.lastMissed = job.lease
        state.missedInARow += 1
        if state.missedInARow % 20 == 0 {
            log.warning(
                "slots go by unused: this process is too slow, or the database too far for the lane's grace",
                ["claims_in_a_row": state.missedInARow])
        }
        // At once, but not in a loop where every slot is missed.
        state.lookAt = .now + .milliseconds(min(1_000, 5 * state.missedInARow))
    }

    private func release(_ calls: [Hand.Waiting], _ state: inout State) {
        for call in calls { save(JobReport(call.job, .released), nil, &state) }
    }

    // MARK: Recording

    private func save(_ report: JobReport, _ answer: Work.Answer?, _ state: inout State) {
        state.hand.save(report.job.id)
        state.gathered.append(Entry(report: report, answer: answer))
    }

    private func write(_ state: inout State) {
        guard state.writing == nil, !state.gathered.isEmpty else { return }
        let entries = state.gathered
        state.gathered = []
        state.writing = Task { [writer, membership, inbox] in
            await writer.write(entries, by: membership.id)
            inbox.send(.written(entries.map(\.report.job.id)))
        }
    }

    // MARK: The alarm

    /// Rings when the next thing is to be done: a slot, an overdue call, a look.
    private func setAlarm(_ state: inout State) {
        let isLooking = !state.isStopping && !state.isClaiming && state.hand.room > 0 && state.writing == nil
        let moments = [state.hand.nextOpening, state.overdueAt, isLooking ? state.lookAt : nil]
        guard let at = moments.compactMap(\.self).min() else { return }
        // One that rings earlier than need be does no harm.
        if let alarm = state.alarm, alarm.at <= at, alarm.at > .now { return }
        state.alarm?.ring.cancel()
        let ring = Task { [inbox] in
            if (try? await Task.sleep(until: at, tolerance: .zero)) != nil { inbox.send(.alarm) }
        }
        state.alarm = (at, ring)
    }
}
