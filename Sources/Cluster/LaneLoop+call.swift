import Operations
import Queue

extension LaneLoop {
    func beginDue(_ state: inout State) {
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

    func endOverdue(_ state: inout State) {
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

    func miss(_ job: Job, _ state: inout State) {
        save(JobReport(job, .void), nil, &state)
        // Slots of one claim go by together: a claim counts once, however many it brought.
        guard job.lease != state.lastMissed else { return }
        state.lastMissed = job.lease
        state.missedInARow += 1
        if state.missedInARow % 20 == 0 {
            log.warning(
                "slots go by unused: this process is too slow for the lane's grace",
                ["claims_in_a_row": state.missedInARow])
        }
        // At once, but not in a loop where every slot is missed.
        state.lookAt = .now + .milliseconds(min(1_000, 5 * state.missedInARow))
    }

    func release(_ calls: [LaneHand.Waiting], _ state: inout State) {
        for call in calls { save(JobReport(call.job, .released), nil, &state) }
    }

    func save(_ report: JobReport, _ answer: ErasedWork.Answer?, _ state: inout State) {
        state.hand.save(report.job.id)
        state.gathered.append(ResultWriter.Entry(report: report, answer: answer))
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

    /// Rings when the next thing is to be done: a slot, an overdue call, a look.
    func setAlarm(_ state: inout State) {
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
