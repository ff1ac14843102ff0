/// The changes made by one call of ``Database/migrate(_:)``.
package struct SchemaChanges: Hashable, Sendable {
    /// The numbers of the migrations that ran.
    package var migrations: [Int] = []

    /// The names of the function files that were run.
    package var functions: [String] = []

    /// How long locks were held, in the order of the work.
    package var locks: [LockReport] = []

    package var isEmpty: Bool { migrations.isEmpty && functions.isEmpty }
}

extension Database {
    /// Brings the schema up to date and returns what it changed.
    ///
    /// Any number of processes may call this at once. A schema that is too new is left alone and refused with a
    /// ``SchemaError``.
    @discardableResult
    package func migrate(
        _ scripts: SchemaScripts, under limits: LockLimits = LockLimits()
    ) async throws -> SchemaChanges {
        try await migrate(scripts, under: limits) { _ in }.changes
    }

    /// The same, and then runs `finish` in the transaction of the functions: all of it happens, or none.
    ///
    /// Migrations before that commit by themselves, step by step.
    package func migrate<Value: Sendable>(
        _ scripts: SchemaScripts, under limits: LockLimits = LockLimits(),
        then finish: @Sendable (isolated Connection) throws -> Value
    ) async throws -> (changes: SchemaChanges, value: Value) {
        let first = try await separateMigrations(of: scripts)
        if !first.isEmpty { try await transaction { try $0.beginMigrating() } }
        var locks: [LockReport] = []
        for migration in first { locks.append(try await run(migration, under: limits)) }
        // While other processes work, the locks of a migration and theirs may form a deadlock.
        var (changes, value) = try await Self.retrying(
            until: .now + limits.patience, where: { $0.isDeadlock || $0.isLockTimeout }
        ) {
            try await transaction { connection in
                var work = try connection.migrate(scripts, under: limits)
                let value = try finish(connection)
                if !work.isNew, !work.changes.functions.isEmpty { try connection.lockTables(&work, under: limits) }
                return (work.changes, value)
            }
        }
        changes.migrations = first.map(\.number) + changes.migrations
        changes.locks = locks + changes.locks
        return (changes, value)
    }

    /// The missing migrations that commit by themselves: all up to the last one with steps. Of the others, those that
    /// need the functions stay together with them. In an empty database no other session can wait.
    func separateMigrations(of scripts: SchemaScripts) async throws -> [Migration] {
        guard case .behind(let missing, _) = try await schemaState(comparedWith: scripts), !missing.isEmpty else {
            return []
        }
        let isNew = missing.count == scripts.migrations.count
        if isNew, scripts.tables != nil { return [] }
        let pending = scripts.migrations.filter { missing.contains($0.number) }
        let stepped = pending.lastIndex(where: \.hasSteps).map { $0 + 1 } ?? 0
        let free = pending[stepped...].prefix { !isNew && $0.number > Migration.lastWithoutSteps && !$0.dropsFunctions }
        return Array(pending[..<stepped] + free)
    }

    /// Compares the schema with the scripts. Changes nothing.
    package func schemaState(comparedWith scripts: SchemaScripts) async throws -> SchemaState {
        try await run { connection in
            let tables = try connection.query(
                """
                SELECT to_regclass('schema_migrations') IS NOT NULL AS has_migrations,
                       to_regclass('schema_functions') IS NOT NULL AS has_functions
                """)[0]
            guard try tables.read("has_migrations") else {
                return .behind(missing: scripts.migrations.map(\.number), functions: scripts.functions.map(\.name))
            }
            guard try tables.read("has_functions") else { return .foreign(number: 1, name: "queue") }
            return try SchemaRecord(on: connection).state(comparedWith: scripts)
        }
    }

    /// Throws unless this program can work with the schema as its record tables describe it.
    package func requireSchema(_ scripts: SchemaScripts) async throws {
        switch try await schemaState(comparedWith: scripts) {
        case .fits, .ahead: return
        case .behind(let missing, let functions): throw SchemaError.behind(missing: missing, functions: functions)
        case .tooNew(let unknown): throw SchemaError.tooNew(unknown: unknown, known: scripts.migrations.count)
        case .foreign(let number, let name): throw SchemaError.foreign(number: number, name: name)
        }
    }
}

extension Connection {
    fileprivate func migrate(_ scripts: SchemaScripts, under limits: LockLimits) throws -> FinalWork {
        try beginMigrating()
        let record = try SchemaRecord(on: self)
        switch record.state(comparedWith: scripts) {
        case .ahead: return FinalWork()
        case .tooNew(let unknown): throw SchemaError.tooNew(unknown: unknown, known: scripts.migrations.count)
        case .foreign(let number, let name): throw SchemaError.foreign(number: number, name: name)
        case .fits: return try apply([], stale: [], scripts, record, limits)
        case .behind(let missing, let stale): return try apply(missing, stale: stale, scripts, record, limits)
        }
    }

    private func apply(
        _ missing: [Int], stale: [String], _ scripts: SchemaScripts, _ record: SchemaRecord, _ limits: LockLimits
    ) throws -> FinalWork {
        var work = FinalWork()
        work.changes.migrations = missing
        if missing.count == scripts.migrations.count, let tables = scripts.tables {
            work.isNew = true
            try run(script: tables)
            for migration in scripts.migrations { try note(migration) }
        } else if !missing.isEmpty {
            work.start = .now
            let isOld = missing.contains { $0 <= Migration.lastWithoutSteps }
            for migration in scripts.migrations where missing.contains(migration.number) {
                try run(script: (isOld ? "" : limits.settings(hold: nil)) + migration.script)
                try note(migration)
            }
            try run(script: "SET LOCAL lock_timeout TO DEFAULT; SET LOCAL statement_timeout TO DEFAULT")
        }
        // A migration may have dropped functions that were in its way, or somebody did by hand.
        work.isRepair = try hasDamagedObjects()
        let files = scripts.functions.filter {
            work.isRepair ? !record.hasReplaced($0) : stale.contains($0.name)
        }
        for file in files { try apply(file, &work) }
        if !files.isEmpty {
            try refuseOverloads()
            try noteFunctions(ofAllFiles: work.isRepair)
        }
        // In a new database no other session can wait for the locks.
        if work.isNew { try lockTables(&work, under: limits) }
        work.changes.functions = files.map(\.name)
        return work
    }

    /// Runs the statements of function files that lock tables. They come last, so that the locks are short.
    fileprivate func lockTables(_ work: inout FinalWork, under limits: LockLimits) throws {
        let start = work.start ?? .now
        try makeTriggersAndPolicies(limits.settings(hold: nil) + work.locking.joined(separator: ";\n"))
        work.changes.locks = [LockReport(nil, .now - start)]
    }

    fileprivate func beginMigrating() throws {
        try takeMigrationLock()
        try run(
            script: """
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    number integer PRIMARY KEY,
                    name text NOT NULL,
                    is_breaking boolean NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now()
                );
                -- Each version of a function file applied here. A replaced version belongs to an older program.
                CREATE TABLE IF NOT EXISTS schema_functions (
                    name text NOT NULL,
                    fingerprint text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now(),
                    replaced_at timestamptz,
                    PRIMARY KEY (name, fingerprint)
                );
                -- A digest of each function, trigger and policy that the present files made.
                CREATE TABLE IF NOT EXISTS schema_objects (
                    name text PRIMARY KEY,
                    digest text NOT NULL
                );
                -- The steps of a migration that was begun. `last_id` is the last row that the present step has changed.
                CREATE TABLE IF NOT EXISTS schema_progress (
                    migration integer PRIMARY KEY,
                    steps_done integer NOT NULL,
                    last_id bigint NOT NULL
                )
                """)
    }

    /// Held until commit: a second process waits here and then finds that the work was done.
    func takeMigrationLock() throws {
        try query("SELECT pg_advisory_xact_lock(hashtext('waypost.migrate'))")
    }

    /// Another process may have recorded a migration of several steps first.
    func note(_ migration: Migration) throws {
        try query(
            """
            INSERT INTO schema_migrations (number, name, is_breaking)
            VALUES (\(migration.number), \(migration.name), \(migration.isBreaking))
            ON CONFLICT (number) DO NOTHING
            """)
    }

    private func apply(_ file: FunctionFile, _ work: inout FinalWork) throws {
        let (locking, others) = file.statements
        work.locking += locking
        try run(script: others)
        try query(
            """
            UPDATE schema_functions SET replaced_at = now()
            WHERE name = \(file.name) AND fingerprint <> \(file.fingerprint) AND replaced_at IS NULL
            """)
        try query(
            """
            INSERT INTO schema_functions (name, fingerprint) VALUES (\(file.name), \(file.fingerprint))
            ON CONFLICT (name, fingerprint) DO UPDATE SET applied_at = excluded.applied_at
            """)
    }

    /// CREATE OR REPLACE makes a second function if the parameters differ, and calls could reach either one.
    private func refuseOverloads() throws {
        let names: [String] = try query(
            """
            SELECT proname
            FROM pg_proc
            WHERE pronamespace = current_schema()::regnamespace
            GROUP BY proname
            -- A file may make two functions of one name: both are of this transaction then.
            HAVING bool_or(xmin = pg_current_xact_id()::xid) AND NOT bool_and(xmin = pg_current_xact_id()::xid)
            ORDER BY proname
            """
        ).map { try $0.read("proname") }
        if !names.isEmpty { throw SchemaError.overloaded(functions: names) }
    }
}

/// The state of the last transaction of an upgrade.
private struct FinalWork {
    var changes = SchemaChanges()
    /// The database was empty.
    var isNew = false
    /// All function files run, because an object was missing or changed.
    var isRepair = false
    /// The statements of the function files that lock tables.
    var locking: [String] = []
    /// The time at which a migration began.
    var start: ContinuousClock.Instant?
}
