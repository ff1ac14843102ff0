import Contacts
import Locations
import Postgres
import Processes
import Questions
package import Queue
import Sinks

extension Coordinator {
    /// Takes or renews the lead. With the lead, does one bounded step of each act that is due. Returns true if there is
    /// more to do, so that the next round should start at once.
    ///
    /// A million new addresses take many rounds and not one long one. Between rounds the lead is renewed and workers
    /// are rescued.
    package func round(
        duty: inout CoordinatorDuty, as coordinator: Int, at instant: ContinuousClock.Instant
    ) async throws -> Bool {
        try await watchClock(&duty)
        guard duty.acquaintance == nil else { return false }
        try await lead(&duty, as: coordinator)
        guard let term = duty.term else { return false }
        var isMore = false
        for act in duty.due(at: instant) {
            try Task.checkCancellation()
            do {
                if try await perform(act, under: term) { isMore = true } else { duty.finish(act, at: instant) }
                instruments?.acted(act, isDone: true)
            } catch is LostLeadership {
                log.warning("lost the lead; standing by", ["term": term.number])
                duty.begin(nil)
                return false
            } catch let error as DatabaseError where !error.isConnectionLost {
                // The other acts continue when one fails.
                instruments?.acted(act, isDone: false)
                log.warning("an act failed", ["act": act.rawValue, "error": "\(error)"])
                duty.finish(act, at: instant)
            }
        }
        return isMore
    }

    /// Checks if the database's clock was set since the last round, before anything depends on it.
    private func watchClock(_ duty: inout CoordinatorDuty) async throws {
        (duty.clock, duty.acquaintance) = try await database.run { [queue, log, duty] db throws in
            var (clock, acquaintance) = (duty.clock, duty.acquaintance)
            if try acquaintance?.isMade(of: queue, on: db) == false {
                guard acquaintance?.isOverdue == true else { return (clock, acquaintance) }
                try clock.adopt(of: queue, log, on: db)
            }
            let (known, newest) = (clock.epoch, try queue.newestWorker(on: db))
            clock.doubt()
            try clock.measure(of: queue, log, on: db)
            // A process that reads the clock for the first time can't know.
            if let known, known == clock.epoch { try clock.confirm(for: newest, of: queue, on: db) }
            return (clock, nil)
        }
    }

    private func lead(_ duty: inout CoordinatorDuty, as coordinator: Int) async throws {
        let term = try await database.run { [leadership, registry] in
            try leadership.acquire(for: coordinator, within: registry.silenceLimit, on: $0)
        }
        if term == duty.term { return }
        if let term {
            log.info("leads", ["term": term.number])
        } else {
            log.warning("lost the lead; standing by")
        }
        duty.begin(term)
    }

    /// Does one step of an act under a term, or throws ``LostLeadership`` and changes nothing. Returns true if the step
    /// was full, so that there may be more to do.
    package func perform(_ act: CoordinatorAct, under term: Leadership.Term) async throws -> Bool {
        let step = 5_000
        let count =
            switch act {
            case .rescue: try await rescue(under: term)
            case .hash:
                try await database.act(under: term) { [addresses] in try addresses.hashForeign(step, on: $0) }
            case .settle:
                try await database.act(under: term) { [contacts] in try contacts.settleLeftOvers(step, on: $0) }
            case .tallies: try await addUpTallies(under: term)
            case .backlogs:
                try await database.act(under: term) { [queue] in try queue.noteBacklogs(on: $0) }
            case .enqueue:
                try await database.act(under: term) { [questions] in try questions.enqueueWaiting(step, on: $0) }
            case .expire:
                try await database.act(under: term) { try GeocodeStore().expire(step, on: $0) }
                    + database.act(under: term) { try RelayStore().expire(step, on: $0) }
            case .divert:
                try await database.act(under: term) { [questions] in
                    try questions.leaveHaltedLanes(patience: .seconds(600), limit: step, on: $0)
                }
            case .upload: try await database.act(under: term) { try UploadStore().requeueLost(step, on: $0) }
            case .tell: try await database.act(under: term) { try PlaceNewsStore().enqueue(on: $0) }
            case .partitions: try await maintainPartitions(under: term) ? step : 0
            case .rollUp: try await database.act(under: term) { [queue] in try queue.rollUpThroughput(step, on: $0) }
            case .sleepers: try await forgetSleepers(under: term)
            case .acts: try await forgetActs(step, under: term)
            case .files: try await database.act(under: term) { try FileRunStore().expire(on: $0) }
            }
        if count > 0, let message = act.message { log.info(message, ["count": count]) }
        return count == step
    }

    /// Frees the jobs of silent workers.
    private func rescue(under term: Leadership.Term) async throws -> Int {
        let rescue = try await database.act(under: term) { [registry] database in
            let rescue = try registry.rescue(by: term.coordinator, on: database)
            try rescue.updateSubjects(on: database)
            return rescue
        }
        instruments?.lost(rescue.workers)
        if rescue.freed > 0 || !rescue.dead.isEmpty {
            log.warning(
                "freed the jobs of silent workers",
                ["freed": rescue.freed, "split": rescue.halves.count, "given_up": rescue.dead.count])
        }
        return 0
    }

    private func addUpTallies(under term: Leadership.Term) async throws -> Int {
        _ = try await database.act(under: term) { [contacts] in try contacts.addUpTallies(on: $0) }
        return 0
    }

    private func forgetSleepers(under term: Leadership.Term) async throws -> Int {
        _ = try await database.act(under: term) { [queue] in try queue.forgetSleepers(on: $0) }
        return 0
    }

    /// Deletes old acts, and decisions that can no longer be undone.
    private func forgetActs(_ step: Int, under term: Leadership.Term) async throws -> Int {
        try await database.act(under: term) { [auditRetention, questions] database in
            try max(
                AuditLog().forget(olderThan: auditRetention, limit: step, on: database),
                questions.forgetDecisions(limit: step, on: database))
        }
    }

    /// Returns true if there is more to do.
    private func maintainPartitions(under term: Leadership.Term) async throws -> Bool {
        let calls = try await database.act(under: term) { [queue, retention] in
            try queue.maintainCallPartitions(retention: retention, on: $0)
        }
        tell(calls.made, calls.dropped, of: "the call log")
        // In a transaction of its own, because it locks tables that phones write to.
        let positions = try await database.act(under: term) { [trackers, locationRetention] in
            try trackers.maintainPartitions(retention: locationRetention, on: $0)
        }
        tell(positions.made, positions.dropped, of: "positions")
        return positions.isMore
    }

    private func tell(_ made: [String], _ dropped: [String], of subject: String) {
        if made.isEmpty, dropped.isEmpty { return }
        log.info(
            "created or dropped partitions of \(subject)", ["made": made.count, "dropped": dropped.count])
    }
}

extension CoordinatorAct {
    /// The log message of a step that did something; nil for acts that log more than a count.
    fileprivate var message: String? {
        switch self {
        case .rescue, .partitions, .sleepers, .settle, .tallies, .backlogs, .acts, .tell: nil
        case .hash: "hashed addresses of another program"
        case .enqueue: "queued waiting addresses"
        case .expire: "expired answers"
        case .divert: "moved questions out of halted lanes"
        case .upload: "queued uploads whose jobs were gone"
        case .rollUp: "rolled up throughput"
        case .files: "deleted files that were sent over HTTP"
        }
    }
}

extension Database {
    /// Runs an act of a leader in one transaction. First makes sure that the lead lasts until the transaction ends.
    fileprivate func act<Value: Sendable>(
        under term: Leadership.Term, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await transaction { database in
            try Leadership().lock(term, on: database)
            return try body(database)
        }
    }
}

extension Rescue {
    /// Updates the subjects of the rescued jobs, in the transaction that freed the jobs.
    func updateSubjects(on database: isolated Connection) throws {
        try QuestionQueue().moveQuestions(after: self, on: database)
        try UploadStore().moveJobs(after: self, on: database)
    }
}
