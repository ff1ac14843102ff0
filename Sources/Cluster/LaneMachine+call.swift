import HTTP
import Processes
import Questions
import Queue

extension LaneMachine {
    /// Begins the calls whose slots have come, or come so soon that the sender wants to prepare.
    ///
    /// This does not decide if a request is sent. The call's departure is checked at the moment of sending, because the
    /// process may be stopped at any moment and a call that waits elsewhere may be late.
    mutating func beginDue(at now: Instant, _ actions: inout [Action]) {
        for due in hand.takeDue(now + lead) {
            let beginning = max(now, due.departure.opens)
            hand.begin(due, at: beginning)
            overdueAt = overdueAt ?? now + callLimit
            actions.append(.call(due, traces.beginCall(of: due.job.id, at: beginning)))
        }
    }

    /// Records the result of a call, unless it was given up before.
    mutating func acceptReply(
        _ reply: Reply<ErasedWork.Answer>, to job: Job.ID, _ departure: Departure, at end: Instant, _ now: Instant,
        _ actions: inout [Action]
    ) {
        guard let call = hand.end(job, departure) else { return }
        traces.endCall(of: job, leftAt: departure.leftAt, at: end)
        if departure.isRecalled { return save(JobReport(call.job, .released)) }
        if case .void = reply.outcome { return miss(call.job, at: now, &actions) }
        missed.claims = 0
        unprovenSince = nil
        // Nothing was sent if the server could not be reached: then no call was made.
        let left = departure.leftAt
        save(Self.report(call, reply.outcome, leftAt: left, took: left?.duration(to: end)), reply.answer)
    }

    mutating func endOverdue(at now: Instant, _ actions: inout [Action]) {
        guard let overdueAt, overdueAt <= now else { return }
        for overdue in hand.takeOverdue(begunBefore: now - callLimit) {
            let left = overdue.departure.cancel()
            actions.append(.cancel(overdue.departure))
            let outcome = JobOutcome.retry(reason: "no answer within \(callLimit.text)")
            save(Self.report(overdue, outcome, leftAt: left, took: left.map { _ in callLimit }))
        }
        self.overdueAt = hand.oldestBeginning.map { $0 + callLimit }
    }

    /// Static: a method that reads `self` would copy the whole machine for each call.
    private static func report(
        _ call: LaneHand.Call, _ outcome: JobOutcome, leftAt left: Instant?, took: Duration?
    ) -> JobReport {
        // By our own clock, because the database's clock may have been set since the slot was given.
        let late = left.flatMap { left in call.departure.closes.map { $0.duration(to: left) } }
        return JobReport(
            call.job, outcome, startedAt: left.map(call.shown), took: took, epoch: call.epoch,
            late: late)
    }

    private mutating func miss(_ job: Job, at now: Instant, _ actions: inout [Action]) {
        save(JobReport(job, .void))
        // The slots of one claim pass together. A claim counts once, however many slots it had.
        guard job.lease != missed.lease else { return }
        missed = (missed.claims + 1, job.lease)
        if missed.claims >= Self.mostMissed { unprovenSince = now }
        if missed.claims % 20 == 0 {
            actions.append(
                .warn(
                    "slots pass unused: this process is too slow for the lane's grace",
                    ["claims_in_a_row": missed.claims]))
        }
        // Claim again soon, but with a growing pause if every slot is missed. Of many workers, a few are enough.
        if isCalled { look(at: now + .milliseconds(min(1_000, 5 * missed.claims))) }
    }

    mutating func release(_ calls: [LaneHand.Call]) {
        for call in calls { save(JobReport(call.job, .released)) }
    }

    /// After this many claims in a row whose slots were missed, a worker has to prove itself again.
    private static let mostMissed = 3

    /// How long a result waits for others in a crowd.
    static let gatherTime: Duration = .milliseconds(20)

    mutating func save(_ report: JobReport, _ answer: ErasedWork.Answer? = nil) {
        instruments?.ended(report)
        // Other outcomes may halt the lane.
        let isWell = report.outcome.inLog.isWell
        hand.save(report.job.id, keepsPlace: !isWell)
        isUrgent = isUrgent || !isWell
        gathered.append(ResultWriter.Entry(report: report, answer: answer, trace: traces.remove(report.job.id)))
    }

    /// Writes what has gathered. One of many workers gets few results at a time, and a write of one costs the server nearly
    /// as much as a write of ten. So in a crowd they wait a moment for the running calls: most of them were claimed together.
    mutating func write(at now: Instant, _ actions: inout [Action]) {
        guard !isWriting, !gathered.isEmpty else { return }
        if crowd > 1, !isUrgent, phase == .open, !hand.running.isEmpty {
            let end = writeAt ?? now + Self.gatherTime
            writeAt = end
            if end > now { return }
        }
        isWriting = true
        (isUrgent, writeAt) = (false, nil)
        actions.append(.write(gathered))
        gathered = []
    }
}
