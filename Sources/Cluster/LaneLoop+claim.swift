import Monitoring
import Postgres
import Queue
import Wording

extension LaneLoop {
    func claim(_ state: inout State) {
        let room = state.claimTime == nil ? min(1, state.hand.room) : state.hand.room
        guard !state.isClaiming, !state.isStopping, room > 0, state.lookAt <= .now else { return }
        // A write that is under way will soon make more room, and a few large claims cost less than many small ones.
        // Far from the database, waiting takes too long.
        if state.writing != nil, room * 2 < state.hand.capacity, (state.claimTime ?? .zero) < .milliseconds(20) {
            return
        }
        state.isClaiming = true
        let hint = state.hint.flatMap { $0.goodUntil > .now ? $0 : nil }
        let clock = state.clock
        let isTimeForStrays = state.strayLooks.contains { $0 <= .now }
        let lead = (state.claimTime ?? Self.firstClaimTime) + sendingTime
        let known = isTimeForStrays ? state.hand.jobs : nil
        Task { inbox.send(.claimed(await claim(room, hint: hint, lead: lead, clock, releasingAllBut: known))) }
    }

    func claim(
        _ room: Int, hint: Hint?, lead: Duration, _ clock: ServerClock, releasingAllBut known: [Job.ID]?
    ) async -> Claimed? {
        let (queue, work, lane, id) = (worker.queue, work, lane, membership.id)
        do {
            return try await worker.database.run { database in
                if let known { _ = try queue.releaseStrays(in: lane, of: id, knowing: known, on: database) }
                let clock = try learn(clock, on: database)
                let askedAt = Instant.now
                let claim = try queue.claim(
                    room, from: lane, for: id, hint: hint?.place, lead: lead, uncertainty: clock.uncertainty,
                    isSteady: clock.isSteady, expecting: clock.expected(at: askedAt, usual: lead), on: database)
                let answered = Instant.now
                let questions = claim.jobs.isEmpty ? [:] : try work.questions(claim.jobs, database)
                return Claimed(
                    claim: claim, questions: questions, hint: hint, clock: clock, askedAt: askedAt, answered: answered,
                    complete: .now)
            }
        } catch {
            log.warning("can't claim", ["error": "\(error)"])
            return nil
        }
    }

    /// Reads the database's clock until the bounds are as narrow as possible. A claim is too slow as a measurement for
    /// slots that are milliseconds wide: it writes, and waits for the disk.
    func learn(_ clock: ServerClock, on database: isolated Connection) throws -> ServerClock {
        var clock = clock
        try clock.ask(of: worker.queue, log, on: database)
        clock.widen(to: .now)
        return clock
    }

    func acceptClaim(_ claimed: Claimed?, _ state: inout State) {
        let isRecalled = state.isClaimRecalled
        (state.isClaiming, state.isClaimRecalled) = (false, false)
        guard let claimed else {
            state.lookAt = .now + .seconds(Double.random(in: 0.75...1.25))
            // Look again after 15 s: by then a server that did not notice our lost connection has given up its claim.
            state.strayLooks = [.now, .now + .seconds(15)]
            return
        }
        state.strayLooks.removeAll { $0 <= claimed.askedAt }
        let claim = claimed.claim
        instruments?.claimed(claimed)
        schedule(after: claimed, &state)
        if !claim.jobs.isEmpty { state.looksInVain = 0 }
        takeJobs(of: claimed, &state)
        if !claim.jobs.isEmpty { state.clock.claimed() }
        // If nothing is quicker than a round trip, a claim is as good a measurement as any.
        state.clock.learn(sent: claimed.askedAt, answered: claimed.answered, shown: claim.toldAt)
        if let width = state.clock.width(at: .now) { instruments?.uncertainty.set(width / .seconds(1)) }
        if state.clock.step != nil || isRecalled {
            // The clock was set, and these slots count by the old one; or the lane's state or limits changed during the
            // claim.
            release(state.hand.takeWaiting(), &state)
            state.lookAt = .now
        }
        respond(toObstacleOf: claimed, &state)
    }

    /// Decides when the next claim is made, and where it begins.
    private func schedule(after claimed: Claimed, _ state: inout State) {
        let claim = claimed.claim
        state.clock = claimed.clock
        // An empty claim writes nothing, so it takes less time.
        if !claim.jobs.isEmpty {
            state.claimTime = max(claimed.askedAt.duration(to: claimed.complete), (state.claimTime ?? .zero) * 0.8)
        }
        state.callLimit = claim.callLimit
        state.obstacle = claim.obstacle
        state.lookAt =
            claim.obstacle == .tokens ? claimed.askedAt + pause(after: claimed) : .now + pause(after: claimed)
        state.hint = nextHint(after: claimed)
        let isHungry = claimed.hint == nil && [.empty, .scheduled].contains(claim.obstacle)
        state.isLingering = isHungry && claim.jobs.count > (state.isLingering ? 0 : 1)
        state.isHungry = isHungry && !state.isLingering
        if state.isLingering { state.lookAt = min(state.lookAt, .now + Self.linger) }
    }

    /// A job without questions needs no call, and is done.
    private func takeJobs(of claimed: Claimed, _ state: inout State) {
        var calls: [LaneHand.Waiting] = []
        for job in claimed.claim.jobs {
            if let question = claimed.questions[job.id] {
                calls.append(
                    LaneHand.Waiting(
                        job: job, question: question,
                        opens: job.slot.map { state.clock.opening($0.opens) } ?? claimed.answered,
                        closes: job.slot.map { state.clock.latest($0.closes) }))
            } else {
                save(JobReport(job, .done()), nil, &state)
            }
        }
        if let tracer = worker.tracer { state.traces.begin(calls.map(\.job), of: claimed, tracer) }
        state.hand.take(calls)
    }

    private func respond(toObstacleOf claimed: Claimed, _ state: inout State) {
        switch claimed.claim.obstacle {
        case .struckOff: rejoin()
        case .clock: state.clock.doubt()
        case .tooFar where state.distanceReminder.isDue(at: claimed.answered):
            log.warning(
                "too far from the database for a lane with limits: its clock is not known precisely enough",
                ["uncertainty": claimed.clock.uncertainty.text])
        default: break
        }
    }

    /// The first claim of a process is slower than others: nothing is prepared or cached.
    private static let firstClaimTime: Duration = .milliseconds(100)

    /// If several jobs came between two looks, sleeping until the next ones isn't worth it: each enqueue would have to
    /// notify, one after another, because the server commits transactions that notify one at a time.
    static let linger: Duration = .milliseconds(2)

    /// Returns how long to wait before the next look. Notifications come earlier. If one is lost, this wait is its
    /// cost.
    func pause(after claimed: Claimed) -> Duration {
        let poll = worker.poll * Double.random(in: 0.75...1.25)
        let lookIn = claimed.claim.lookIn ?? poll
        return switch claimed.claim.obstacle {
        case nil: .zero
        case .empty, .scheduled: claimed.hint != nil ? .zero : min(lookIn, poll)
        // Workers hold the slots of the next two seconds, so not all of them need to hurry for the slot after those.
        case .tokens: min(max(lookIn, poll / 2), poll * 5)
        case .full: poll / 4
        case .blocked, .paused, .quiet, .struckOff, .tooFar: min(lookIn, poll)
        case .clock: .zero
        }
    }

    func nextHint(after claimed: Claimed) -> Hint? {
        guard let place = claimed.claim.hint, ![.empty, .scheduled].contains(claimed.claim.obstacle) else { return nil }
        // A look from the beginning of the lane's order may be slow. Then it is made less often, and takes a twentieth
        // of the time.
        let goodUntil =
            claimed.hint?.goodUntil ?? claimed.answered
            + max(.seconds(1), claimed.askedAt.duration(to: claimed.answered) * 20)
        return Hint(place: place, goodUntil: goodUntil)
    }

    /// The worker was removed as dead, but is alive: it registers again with a new id.
    func rejoin() {
        Task { [membership, log, inbox] in
            do { try await membership.beat() } catch {
                log.warning("can't register again", ["error": "\(error)"])
            }
            inbox.send(.look)
        }
    }
}
