import HTTP
import Monitoring
import Queue
import Tracing
import Wording

extension LaneLoop {
    /// Begins the calls whose slots have come, or come so soon that the sender wants to prepare.
    ///
    /// This does not decide if a request is sent. The call's departure is checked at the moment of sending, because the
    /// process may be stopped at any moment and a call that waits elsewhere may be late.
    func beginDue(_ state: inout State) {
        let now = Instant.now
        for due in state.hand.takeDue(now + lead) {
            let departure = Departure(opens: due.opens, closes: due.closes)
            let context = state.traces.beginCall(of: due.job.id, at: max(now, due.opens))
            let call = Task { [work, inbox] in
                let reply = await TraceScope.$current.withValue(context) { await work.call(due.question, departure) }
                inbox.send(.returned(due.job, reply, departure, at: .now))
            }
            state.hand.begin(due.job, at: max(now, due.opens), departure, call)
            state.overdueAt = state.overdueAt ?? now + state.callLimit
        }
    }

    private var lead: Duration { work.sender?.http.lead ?? .zero }

    /// The time from the beginning of a call until its request is sent.
    var sendingTime: Duration { work.sender?.http.readyIn ?? .zero }

    /// Records the result of a call, unless it was given up before.
    func acceptReply(
        _ reply: Reply<ErasedWork.Answer>, to job: Job, _ departure: Departure, at end: Instant, _ state: inout State
    ) {
        guard state.hand.end(job.id) != nil else { return }
        state.traces.endCall(of: job.id, leftAt: departure.leftAt, at: end)
        if departure.isRecalled { return save(JobReport(job, .released), nil, &state) }
        if case .void = reply.outcome { return miss(job, &state) }
        state.missedInARow = 0
        // Nothing was sent if the server could not be reached: then there was no call.
        let left = departure.leftAt
        save(
            JobReport(
                job, reply.outcome, startedAt: left.map { state.clock.shown(at: $0) }, took: left?.duration(to: end),
                epoch: state.clock.epoch, late: late(left, departure, state)),
            reply.answer, &state)
    }

    func endOverdue(_ state: inout State) {
        guard let overdueAt = state.overdueAt, overdueAt <= .now else { return }
        for overdue in state.hand.takeOverdue(begunBefore: .now - state.callLimit) {
            let left = overdue.departure.cancel()
            overdue.call.cancel()
            let reason = "no answer within \(state.callLimit.text)"
            save(
                JobReport(
                    overdue.job, .retry(reason: reason), startedAt: left.map { state.clock.shown(at: $0) },
                    took: left.map { _ in state.callLimit }, epoch: state.clock.epoch,
                    late: late(left, overdue.departure, state)),
                nil, &state)
        }
        state.overdueAt = state.hand.oldestBeginning.map { $0 + state.callLimit }
    }

    /// Returns how late a call was for its slot, as well as we know; nil if nothing was sent, or the slot has no end.
    /// Measured by our own clock, because the database's clock may have been set since the slot was given.
    private func late(_ left: Instant?, _ departure: Departure, _ state: State) -> Duration? {
        guard let left, let closes = departure.closes else { return nil }
        return closes.duration(to: left) - (state.clock.width(at: left) ?? .zero) / 2
    }

    func miss(_ job: Job, _ state: inout State) {
        save(JobReport(job, .void), nil, &state)
        // The slots of one claim pass together. A claim counts once, however many slots it had.
        guard job.lease != state.lastMissed else { return }
        state.lastMissed = job.lease
        state.missedInARow += 1
        if state.missedInARow % 20 == 0 {
            log.warning(
                "slots pass unused: this process is too slow for the lane's grace",
                ["claims_in_a_row": state.missedInARow])
        }
        // Claim again soon, but with a growing pause if every slot is missed.
        state.lookAt = .now + .milliseconds(min(1_000, 5 * state.missedInARow))
    }

    func release(_ calls: [LaneHand.Waiting], _ state: inout State) {
        for call in calls { save(JobReport(call.job, .released), nil, &state) }
    }

    func save(_ report: JobReport, _ answer: ErasedWork.Answer?, _ state: inout State) {
        instruments?.ended(report)
        state.hand.save(report.job.id)
        state.gathered.append(
            ResultWriter.Entry(report: report, answer: answer, trace: state.traces.remove(report.job.id)))
    }

    func write(_ state: inout State) {
        guard state.writing == nil, !state.gathered.isEmpty else { return }
        let entries = state.gathered
        state.gathered = []
        state.writing = Task { [writer, membership, inbox] in
            await writer.write(entries, by: membership.id)
            inbox.send(.written(entries.map(\.report.job.id)))
        }
    }

    /// Wakes the loop for the next event: a slot, an overdue call, a claim.
    func setAlarm(_ state: inout State) {
        let isLooking = !state.isStopping && !state.isClaiming && state.hand.room > 0 && state.writing == nil
        let moments = [state.hand.nextOpening.map { $0 - lead }, state.overdueAt, isLooking ? state.lookAt : nil]
        guard let at = moments.compactMap(\.self).min() else { return }
        // Waking too early does no harm.
        if let alarm = state.alarm, alarm.at <= at, alarm.at > .now { return }
        state.alarm?.ring.cancel()
        let ring = Task { [inbox] in
            if (try? await Task.sleep(until: at, tolerance: .zero)) != nil { inbox.send(.alarm) }
        }
        state.alarm = (at, ring)
    }
}
