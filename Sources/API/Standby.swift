import Access
package import Postgres
package import Processes

/// A standby of the database, which answers reads while its data is recent enough: see ``ReplayNotes``.
package final class Standby: Sendable {
    /// The standby's use for reads.
    package enum State: String, Sendable, CaseIterable {
        case used
        /// Its data is older than the limit, or nothing is known yet.
        case behind
        case unreachable
        /// It is not a standby any more. Another server may be the primary.
        case promoted
        /// It is a standby of another server, or its URL leads to another database.
        case foreign
    }

    /// The outcome of a read that the standby was to answer.
    private enum Outcome: String, CaseIterable {
        case answered
        /// The standby has not replayed enough.
        case behind
        /// It is not a standby of this database, or can't be reached.
        case unusable
        /// It answered with an error, such as a conflict with the replay.
        case failed
    }

    private struct Memory {
        var notes: ReplayNotes
        var primary: LogPosition?
        /// The state at the last note, and the state that was logged last.
        var states: (seen: State, logged: State?) = (.unreachable, nil)
    }

    package let database: Database
    let share: FairShare
    let watch: DatabaseWatch<LogPosition?>
    private let memory: Locked<Memory>
    private let log: Log
    private let outcomes: Family<Counter>

    /// `database` has the role `waypost_api`, as the primary's pool.
    package init(
        _ database: Database, longestLag: Duration, log: Log, metrics: Metrics, instruments: APIInstruments? = nil,
        patience: Duration = .milliseconds(700)
    ) {
        (self.database, self.log) = (database, log)
        share = FairShare(Shares.Limits(places: database.size), refused: instruments?.overShare)
        let memory = Locked(Memory(notes: ReplayNotes(longestLag: longestLag)))
        self.memory = memory
        watch = DatabaseWatch(database, patience: patience, shortPause: .milliseconds(200), refused: nil) { db in
            let standby = try LogPosition(on: db)
            memory.withLock { $0.notes.look(replayed: standby.isStandby ? standby.position : 0) }
            return standby
        }
        outcomes = metrics.counter(
            "waypost_standby_reads_total",
            "Reads by what the standby did. The database answered all that the standby did not answer.",
            labels: "outcome")
        for outcome in Outcome.allCases { _ = outcomes[outcome.rawValue] }
        metrics.gauge("waypost_standby_lag_seconds", "The age of the standby's data at most.")[].read {
            [weak self] in self?.lag.map { $0 / .seconds(1) } ?? .infinity
        }
    }

    /// The age of the standby's data at most; nil if it is unknown.
    package var lag: Duration? { memory.withLock { $0.notes.currentAt }.map { .now - $0 } }

    package var state: State { memory.withLock { state($0) } }

    private func state(_ memory: Memory) -> State {
        guard case .there(let look?) = watch.finding else { return .unreachable }
        guard look.isStandby else { return .promoted }
        guard memory.primary == nil || memory.primary?.database == look.database else { return .foreign }
        return memory.notes.target(at: .now) == nil ? .behind : .used
    }

    /// The number of the oldest transaction that is open on the primary. See
    /// ``ContactStore/changes(after:account:limit:oldestOpen:on:)``.
    var oldestOpen: Int { memory.withLock { $0.primary?.oldestOpen ?? 0 } }

    /// Notes the position of the primary, to which `db` leads.
    func note(ofPrimary db: isolated Connection) {
        let (at, replayed) = memory.withLock { (ContinuousClock.now, $0.notes.replayed) }
        // Without new notes the old ones expire.
        guard let primary = try? LogPosition(on: db), !primary.isStandby else { return }
        let changed = memory.withLock { memory -> State? in
            memory.notes.note(primary.position, at: at, standby: replayed)
            memory.primary = primary
            let state = self.state(memory)
            defer { memory.states.seen = state }
            guard state == memory.states.seen, state != memory.states.logged else { return nil }
            memory.states.logged = state
            return state
        }
        guard let changed else { return }
        if changed == .used {
            log.info("the standby answers reads")
        } else {
            log.warning("the standby answers no reads", ["state": changed.rawValue])
        }
    }

    /// The position that the standby must have replayed for a read; nil if it can't be used.
    func target(after position: Int?) -> Int? {
        let (state, oldest) = memory.withLock { (self.state($0), $0.notes.target(at: .now)) }
        guard state == .used, let oldest else {
            count(state == .behind ? .behind : .unusable)
            return nil
        }
        return max(oldest, position ?? 0)
    }

    /// Returns the result of `body` on the standby. Returns nil if the standby has not replayed up to `target`, or if
    /// anything fails: the primary may succeed. Only a busy account is refused, because it would be busy there too.
    func answer<Value: Sendable>(
        atLeast target: Int, _ database: AccountDatabase,
        _ body: @escaping @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value? {
        do {
            let value = try await watch.whileThere {
                try await database.run { db in
                    // Each connection may lead to another server: behind a proxy, or of several hosts.
                    let isRecent: Bool? = try db.query(
                        """
                        SELECT pg_is_in_recovery() AND pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') >= \(target)::bigint
                                   AS is_recent
                        """)[0].readIfPresent("is_recent")
                    return isRecent == true ? try body(db) : nil
                }
            }
            count(value == nil ? .behind : .answered)
            return value
        } catch let busy as AccountIsBusy {
            throw busy
        } catch let error as DatabaseError {
            count(error.isConnectionLost ? .unusable : .failed)
            if !error.isWorthRetrying { log.warning("the standby failed to answer", ["error": error.message]) }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            count(watch.isAway ? .unusable : .failed)
        }
        return nil
    }

    private func count(_ outcome: Outcome) { outcomes[outcome.rawValue].add() }
}
