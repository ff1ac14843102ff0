import Processes

/// Runs the steps of a migration. docs/design/schema.md explains the kinds of steps.
///
/// A step and its record in `schema_progress` commit together, so a finished step runs again only if a crash of the
/// server has undone it. No lock is held between steps. Two processes may run the same migration: each reads the record
/// under a lock first.
extension Database {
    func run(_ migration: Migration, under limits: LockLimits) async throws -> LockReport {
        let report = Locked(LockReport(migration))
        // A crash of the server may have undone steps. Those after them did not run.
        repeat {
            for index in migration.steps.indices {
                try await run(PlacedStep(migration: migration, index: index, limits: limits), report)
            }
        } while try await !transaction { try $0.finish(migration) }
        return report.withLock { $0 }
    }

    private func run(_ step: PlacedStep, _ report: Locked<LockReport>) async throws {
        switch step.kind {
        case .short, .validation: try await runAtOnce(step, report)
        case .batches: try await runBatches(of: step, report)
        case .concurrent:
            while try await !waiting(for: step, report, { try $0.runConcurrently(step) }) {
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func runAtOnce(_ step: PlacedStep, _ report: Locked<LockReport>) async throws {
        do {
            // A busy machine, too, may make one try take too long.
            try await Self.retrying(atMost: 4, where: \.isOverStatementLimit) {
                let turn = try await waiting(for: step, report) { try $0.run(step) }
                // A validation stops no reader or writer.
                if let turn, step.kind == .short { report.withLock { $0.note(turn.held) } }
            }
        } catch let error as DatabaseError where error.isOverStatementLimit { throw try await refusal(of: step) }
    }

    private func runBatches(of step: PlacedStep, _ report: Locked<LockReport>) async throws {
        var size = 100
        while true {
            do {
                let turn = try await waiting(for: step, report) { [size] in try $0.runBatch(of: size, step) }
                guard let turn else { return }
                report.withLock { $0.note(turn.held) }
                let goal = step.limits.hold ?? .seconds(1)
                if turn.worked < goal / 3 { size *= 2 } else if turn.worked > goal / 2 { size = (size + 1) / 2 }
            } catch let error as DatabaseError where error.isOverStatementLimit {
                size = (size + 3) / 4
            }
        }
    }

    /// Repeats `body` until its locks are free in time, also after a failover.
    private func waiting<Value: Sendable>(
        for step: PlacedStep, _ report: Locked<LockReport>, _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        do {
            return try await Self.retrying(
                until: .now + step.limits.patience,
                beforePause: { error in if error.isLockTimeout { report.withLock { $0.waits += 1 } } },
                { try await run(body) })
        } catch let error as DatabaseError where error.isLockTimeout {
            throw SchemaError.locked(step.name, step.limits.patience)
        }
    }

    private func refusal(of step: PlacedStep) async throws -> SchemaError {
        .longLock(step.name, try await run { try $0.largestTable(in: step.script) })
    }
}

/// One step of a migration, and how it may run.
private struct PlacedStep: Sendable {
    let migration: Migration
    let index: Int
    let limits: LockLimits

    var kind: MigrationStep.Kind { migration.steps[index].kind }
    var script: String { migration.steps[index].script }
    var name: String {
        "step \(index + 1) of \(migration.steps.count) of migration \(migration.number) (\(migration.name))"
    }

    /// Records that the step is done, or done up to an `id`, and ends the transaction.
    ///
    /// Its locks don't wait for the disk or a standby. While the disk was busy, others waited 0.4 s for a new column.
    func end(doneUpTo id: Int? = nil) -> String {
        let (done, last) = id.map { (index, $0) } ?? (index + 1, 0)
        return """
            ;
            SET LOCAL synchronous_commit = off;
            INSERT INTO schema_progress (migration, steps_done, last_id) VALUES (\(migration.number), \(done), \(last))
            ON CONFLICT (migration) DO UPDATE SET steps_done = excluded.steps_done, last_id = excluded.last_id
            RETURNING extract(epoch FROM clock_timestamp() - statement_timestamp())::double precision AS worked;
            COMMIT
            """
    }
}

/// A transaction of a step.
private struct StepTurn {
    /// How long it held locks.
    let held: Duration
    /// How long the server worked before the commit. A smaller batch shortens neither the commit nor the round trip.
    let worked: Duration
}

extension Connection {
    /// Runs a step in one transaction, unless it is done.
    fileprivate func run(_ step: PlacedStep) throws -> StepTurn? {
        try inTurn(step) { _ in
            let table = try step.kind == .short ? largestTable(in: step.script) : nil
            let isLarge = table.map { $0.bytes >= step.limits.largeTableBytes } ?? false
            return step.limits.settings(hold: isLarge ? step.limits.hold : nil) + step.script + "\n" + step.end()
        }
    }

    /// Runs the step for the next rows. Returns nil if there are none.
    fileprivate func runBatch(of size: Int, _ step: PlacedStep) throws -> StepTurn? {
        guard case .batches(let table) = step.kind else { return nil }
        var isOver = true
        let turn = try inTurn(step) { done in
            let last = try query(
                """
                SELECT max(id) AS id
                FROM (SELECT id FROM \(identifier: table) WHERE id > \(done) ORDER BY id LIMIT \(size)) AS batch
                """)[0].readIfPresent("id", as: Int.self)
            guard let last else { return step.end() }
            isOver = false
            let script = step.script.replacing(":first", with: "\(done + 1)").replacing(":last", with: "\(last)")
            // On a busy machine, even one row may take longer. Only its writers wait.
            return step.limits.settings(hold: size == 1 ? nil : step.limits.hold) + script + "\n"
                + step.end(doneUpTo: last)
        }
        return isOver ? nil : turn
    }

    /// Runs the script that `body` makes from the last `id`, unless the step is done. Other processes wait meanwhile.
    ///
    /// The script ends the transaction itself: a round trip to a far database would make its locks last longer.
    private func inTurn(_ step: PlacedStep, _ body: (Int) throws -> String) throws -> StepTurn? {
        try run(script: "BEGIN")
        defer { if !isOutsideTransaction { rollBack() } }
        try takeMigrationLock()
        let progress = try progress(of: step.migration)
        guard progress.steps == step.index else { return nil }
        let script = try body(progress.lastID)
        let start = ContinuousClock.now
        let worked = try run(script: script).first?.read("worked", as: Duration.self) ?? .zero
        return StepTurn(held: .now - start, worked: worked)
    }

    /// The number of finished steps; all if another process has finished the migration.
    fileprivate func progress(of migration: Migration) throws -> (steps: Int, lastID: Int) {
        let row = try query(
            """
            SELECT CASE WHEN EXISTS (SELECT FROM schema_migrations WHERE number = \(migration.number))
                       THEN \(migration.steps.count)::integer ELSE coalesce(max(steps_done), 0) END AS steps,
                   coalesce(max(last_id), 0) AS last_id
            FROM schema_progress
            WHERE migration = \(migration.number)
            """)[0]
        return try (row.read("steps"), row.read("last_id"))
    }

    /// Returns false if steps are not done. Its commit also makes all of them durable.
    fileprivate func finish(_ migration: Migration) throws -> Bool {
        try takeMigrationLock()
        guard try progress(of: migration).steps == migration.steps.count else { return false }
        try note(migration)
        try query("DELETE FROM schema_progress WHERE migration = \(migration.number)")
        return true
    }
}

/// `CREATE INDEX CONCURRENTLY` commits several times. A crash leaves an invalid index, which is dropped here.
extension Connection {
    /// Returns false if another process builds the index: then call it again later.
    fileprivate func runConcurrently(_ step: PlacedStep) throws -> Bool {
        guard try progress(of: step.migration).steps == step.index else { return true }
        let name = step.script.firstMatch(of: /(?i)CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(\w+)/)?.1
        if let name {
            switch try state(ofIndex: String(name)) {
            case .valid: break
            case .inWork: return false
            case .invalid:
                try dropInvalid(String(name), step)
                return false
            case .missing: if try !build(String(name), step) { return false }
            }
        } else {
            try run(script: step.script)
        }
        _ = try inTurn(step) { _ in step.end() }
        return true
    }

    /// Returns false if another process was faster.
    private func build(_ name: String, _ step: PlacedStep) throws -> Bool {
        do { try run(script: step.script) } catch let error as DatabaseError where !error.isWorthRetrying {
            if error.isOfExistingName { return false }
            // An invalid index costs time with each write, and refuses equal values if it is unique.
            try? dropInvalid(name, step)
            throw error
        }
        return true
    }

    /// Drops the index, unless another process has begun to build it again.
    private func dropInvalid(_ name: String, _ step: PlacedStep) throws {
        _ = try inTurn(step) { _ in
            guard try state(ofIndex: name) == .invalid else { return "COMMIT" }
            return step.limits.settings(hold: nil) + "DROP INDEX \(name); COMMIT"
        }
    }

    private enum IndexState { case missing, valid, invalid, inWork }

    private func state(ofIndex name: String) throws -> IndexState {
        let row = try query(
            """
            SELECT indisvalid,
                   EXISTS (
                       SELECT
                       FROM pg_locks
                       JOIN pg_stat_activity USING (pid)
                       WHERE relation = indrelid AND mode = 'ShareUpdateExclusiveLock'
                         AND datname = current_database() AND backend_type = 'client backend'
                   ) AS is_in_work
            FROM pg_index
            WHERE indexrelid = to_regclass(\(name))
            """
        ).first
        guard let row else { return .missing }
        if try row.read("indisvalid") { return .valid }
        return try row.read("is_in_work") ? .inWork : .invalid
    }
}

extension DatabaseError {
    var isLockTimeout: Bool { sqlState == "55P03" }

    /// An index of this name exists, or another session is creating it.
    fileprivate var isOfExistingName: Bool {
        sqlState == "42P07" || sqlState == "23505" && message.contains("pg_class_relname_nsp_index")
    }

    /// `statement_timeout` ended the statement. PostgreSQL calls it a user's request if the next statement of the script
    /// has begun before the signal is handled.
    fileprivate var isOverStatementLimit: Bool { sqlState == "57014" }
}

/// A step that `migrate` would run, and the largest table that it names.
package struct PlannedStep: Sendable {
    package let migration: Migration
    /// Counts from 1.
    package let number: Int
    package let step: MigrationStep
    package let table: TableSize?
}

extension Database {
    /// The steps that are still to be done of migrations that commit by themselves.
    package func plannedSteps(of scripts: SchemaScripts) async throws -> [PlannedStep] {
        let migrations = try await separateMigrations(of: scripts)
        return try await run { connection in
            let isBegun: Bool = try connection.query("SELECT to_regclass('schema_progress') IS NOT NULL AS is_begun")[0]
                .read("is_begun")
            return try migrations.flatMap { migration in
                let done = isBegun ? try connection.progress(of: migration).steps : 0
                return try migration.steps.enumerated().dropFirst(done).map { index, step in
                    PlannedStep(
                        migration: migration, number: index + 1, step: step,
                        table: try connection.largestTable(in: step.script))
                }
            }
        }
    }
}
