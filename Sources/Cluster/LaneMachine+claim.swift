import Processes
import Queue

extension LaneMachine {
    /// The time of the next look; nil while a claim is under way.
    var nextLook: Instant? {
        if case .idle(let next, _) = claim { next } else { nil }
    }

    /// Sets the time of the next look, unless a claim is under way.
    mutating func look(at instant: Instant) {
        if case .idle(_, let isFull) = claim { claim = .idle(next: instant, isFull: isFull) }
    }

    /// The number of jobs that the next claim may bring; 0 if it has to wait.
    var roomToClaim: Int {
        guard phase == .open else { return 0 }
        guard unprovenSince == nil else { return hand.hasCalls ? 0 : min(1, hand.room) }
        let room = hand.room
        // A write that is under way will soon make more room, and a few large claims cost less than many small ones.
        // Far from the database, waiting takes too long.
        let waits =
            (isWriting || writeAt != nil) && room * 2 < hand.capacity && (claimTime ?? .zero) < .milliseconds(20)
        return waits ? 0 : room
    }

    mutating func claimIfDue(at now: Instant, _ actions: inout [Action]) {
        let room = roomToClaim
        guard room > 0, let nextLook, nextLook <= now else { return }
        claim = .underWay(isRecalled: false)
        let isTimeForStrays = strayLooks.contains { $0 <= now }
        actions.append(
            .claim(
                ClaimOrder(
                    most: room, hint: hint.flatMap { $0.goodUntil > now ? $0 : nil },
                    duration: claimTime ?? Self.firstClaimTime, clock: clock,
                    jobsInHand: isTimeForStrays ? hand.jobs : nil)))
    }

    mutating func acceptClaim(_ claimed: Claimed?, at now: Instant, _ actions: inout [Action]) {
        let isRecalled = claim == .underWay(isRecalled: true)
        guard let claimed else {
            claim = .idle(next: now + .seconds(Double.random(in: 0.75...1.25)), isFull: false)
            // Look again after 15 s: by then a server that did not notice our lost connection has given up its claim.
            strayLooks = [now, now + .seconds(15)]
            return
        }
        strayLooks.removeAll { $0 <= claimed.askedAt }
        instruments?.claimed(claimed)
        let wasWaiting = isWaiting
        schedule(after: claimed, at: now)
        addJobs(of: claimed)
        // The reply came before its slot. After missed slots that proves nothing.
        if missed.claims == 0, let opens = hand.nextOpening, opens > now { unprovenSince = nil }
        if !claimed.claim.jobs.isEmpty {
            looksInVain = 0
            clock.claimed()
        }
        // If nothing is quicker than a round trip, a claim is as good a measurement as any.
        clock.learn(sent: claimed.askedAt, answered: claimed.answered, shown: claimed.claim.toldAt)
        if let width = clock.width(at: now) { instruments?.uncertainty.set(width / .seconds(1)) }
        if clock.isSet || isRecalled {
            // The clock was set, and these slots count by the old one; or the lane's state or limits changed during the
            // claim.
            release(hand.takeWaiting())
            look(at: now)
        }
        respond(toObstacleOf: claimed, &actions)
        wakeOthers(after: claimed, wasWaiting: wasWaiting, at: now, &actions)
    }

    /// Waits for a shorter time if the worker shares the claims with fewer others than before.
    mutating func shrinkCrowd(to number: Double, at now: Instant) {
        guard number < crowd else { return }
        if let nextLook, nextLook > now, !isWaiting { look(at: now + now.duration(to: nextLook) * (number / crowd)) }
        crowd = number
    }

    /// Only a few workers of a crowd follow a notification. If a claim in a lane without limits fills the room of one,
    /// the others should help: at once if it has just been woken, and otherwise now and then.
    private mutating func wakeOthers(
        after claimed: Claimed, wasWaiting: Bool, at now: Instant, _ actions: inout [Action]
    ) {
        guard crowd > 1, claimed.claim.obstacle == nil, let first = claimed.claim.jobs.first, first.slot == nil,
            wasWaiting || nextWaking <= now && isCalled
        else { return }
        nextWaking = now + .seconds(1)
        actions.append(.wakeOthers)
    }

    /// Decides when the next claim is made, and where it begins.
    private mutating func schedule(after claimed: Claimed, at now: Instant) {
        let (jobs, obstacle) = (claimed.claim.jobs, claimed.claim.obstacle)
        isWaiting = claimed.isInVain
        clock = claimed.clock
        // An empty claim writes nothing, so it takes less time.
        if !jobs.isEmpty {
            claimTime = max(claimed.askedAt.duration(to: claimed.complete), (claimTime ?? .zero) * 0.8)
        }
        // A call without a slot can't be late.
        if let first = jobs.first, first.slot == nil { unprovenSince = nil }
        callLimit = claimed.claim.callLimit
        // A quiet worker is not one of those among whom the claims are shared, and waits for a notification.
        if obstacle != nil { crowd = obstacle == .quiet ? 1 : claimed.claim.crowd }
        hint = nextHint(after: claimed)
        let next = (obstacle == .tokens ? claimed.askedAt : now) + pause(after: claimed)
        claim = .idle(next: next, isFull: obstacle == .full)
        if claimed.hint == nil, obstacle == .empty || obstacle == .scheduled {
            rest = jobs.count > (rest == .lingering ? 0 : 1) ? .lingering : .due
        } else {
            rest = .none
        }
        if rest == .lingering { look(at: min(next, now + Self.linger)) }
    }

    /// A job without questions needs no call, and is done.
    private mutating func addJobs(of claimed: Claimed) {
        var calls: [LaneHand.Call] = []
        for job in claimed.claim.jobs {
            if let question = claimed.questions[job.id] {
                calls.append(
                    LaneHand.Call(
                        job: job, question: question,
                        opens: job.slot.map { clock.opening($0.opens) } ?? claimed.answered,
                        closes: job.slot.map { clock.latest($0.closes) }, by: clock))
            } else {
                save(JobReport(job, .done()))
            }
        }
        if let tracer { traces.begin(calls.map(\.job), of: claimed, tracer) }
        hand.add(calls)
    }

    private mutating func respond(toObstacleOf claimed: Claimed, _ actions: inout [Action]) {
        switch claimed.claim.obstacle {
        case .struckOff: actions.append(.rejoin)
        case .clock: clock.doubt()
        case .tooFar where nextDistanceWarning.map { $0 <= claimed.answered } ?? true:
            nextDistanceWarning = claimed.answered + .seconds(60)
            actions.append(
                .warn(
                    "too far from the database for a lane with limits: its clock is not known precisely enough",
                    ["uncertainty": claimed.clock.uncertainty.text]))
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
    private func pause(after claimed: Claimed) -> Duration {
        // Workers of a crowd claim at independent times. So their claims stay spread, and none is missed if one dies.
        let poll = poll * (crowd > 1 ? crowd * Double.random(in: 0...2) : Double.random(in: 0.75...1.25))
        let lookIn = claimed.claim.lookIn ?? .zero
        if claimed.isInVain {
            let rest = Self.restInVain(self.poll)
            return isCalled ? min(claimed.claim.lookIn ?? rest, rest) : rest
        }
        return switch claimed.claim.obstacle {
        case nil, .clock, .empty, .scheduled, .blocked, .paused, .copied, .quiet: .zero
        // Workers hold the slots of the next two seconds, so not all of them need to hurry for the slot after those.
        case .tokens: crowd > 1 ? min(lookIn, self.poll * (5 * crowd)) + poll / 2 : min(max(lookIn, poll / 2), poll * 5)
        case .full: poll / 4
        case .struckOff, .tooFar: poll
        }
    }

    /// How long a worker waits for a notification. Meanwhile the lookout looks for all lanes of the worker.
    static func restInVain(_ poll: Duration) -> Duration { poll * Double.random(in: 250...350) }

    private func nextHint(after claimed: Claimed) -> Hint? {
        guard let place = claimed.claim.hint, ![.empty, .scheduled].contains(claimed.claim.obstacle) else { return nil }
        // A look from the beginning of the lane's order may be slow. Then it is made less often, and takes a twentieth
        // of the time.
        let goodUntil =
            claimed.hint?.goodUntil ?? claimed.answered
            + max(.seconds(1), claimed.askedAt.duration(to: claimed.answered) * 20)
        return Hint(place: place, goodUntil: goodUntil)
    }

    /// A worker that finds the lane empty needs a notification of new jobs, also of those that are being committed just
    /// now.
    mutating func prepareToSleep(at now: Instant, _ actions: inout [Action]) {
        guard phase == .open, rest == .due, !isPreparing, case .idle(let next, _) = claim else { return }
        rest = .none
        isPreparing = true
        actions.append(.prepareToSleep(for: max(poll * 1.25, now.duration(to: next))))
    }

    mutating func sleepOrLook(_ advice: SleepAdvice?, at now: Instant) {
        isPreparing = false
        guard let advice else { return look(at: now + poll) }
        guard advice == .look else { return }
        // Look at once. But jobs that another program's transaction has locked can be seen and not claimed, for as long
        // as it lasts, so the pause grows.
        let pause = min(poll, .milliseconds(looksInVain == 0 ? 0 : 1 << min(looksInVain, 10)))
        looksInVain += 1
        look(at: min(nextLook ?? now, now + pause))
    }
}
