/// The changes made by one call of ``Database/migrate(_:)``.
package struct SchemaChanges: Hashable, Sendable {
    /// The numbers of the migrations that ran.
    package var migrations: [Int] = []

    /// The names of the function files that were run.
    package var functions: [String] = []

    package var isEmpty: Bool { migrations.isEmpty && functions.isEmpty }
}

extension Database {
    /// Brings the schema up to date and returns what it changed.
    ///
    /// Any number of processes may call this at once. A schema that is too new is left alone and refused with a
    /// ``SchemaError``.
    @discardableResult
    package func migrate(_ scripts: SchemaScripts) async throws -> SchemaChanges {
        try await migrate(scripts) { _ in }.changes
    }

    /// The same, and then runs `finish` in the same transaction: all of it happens, or none.
    package func migrate<Value: Sendable>(
        _ scripts: SchemaScripts, then finish: @Sendable (isolated Connection) throws -> Value
    ) async throws -> (changes: SchemaChanges, value: Value) {
        // While other processes work, the locks of a migration and theirs may form a deadlock.
        try await Self.retrying(atMost: 20, where: { $0.isDeadlock }) {
            try await transaction { connection in
                let changes = try connection.migrate(scripts)
                return (changes, try finish(connection))
            }
        }
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
    fileprivate func migrate(_ scripts: SchemaScripts) throws -> SchemaChanges {
        // Held until commit: a second process waits here and then finds that every migration was done.
        try query("SELECT pg_advisory_xact_lock(hashtext('waypost.migrate'))")
        try makeRecordTables()
        let record = try SchemaRecord(on: self)
        switch record.state(comparedWith: scripts) {
        case .ahead: return SchemaChanges()
        case .tooNew(let unknown): throw SchemaError.tooNew(unknown: unknown, known: scripts.migrations.count)
        case .foreign(let number, let name): throw SchemaError.foreign(number: number, name: name)
        case .fits: return try apply([], stale: [], scripts, record)
        case .behind(let missing, let stale): return try apply(missing, stale: stale, scripts, record)
        }
    }

    private func apply(
        _ missing: [Int], stale: [String], _ scripts: SchemaScripts, _ record: SchemaRecord
    ) throws -> SchemaChanges {
        if missing.count == scripts.migrations.count, let tables = scripts.tables {
            try run(script: tables)
            for migration in scripts.migrations { try note(migration) }
        } else {
            for migration in scripts.migrations where missing.contains(migration.number) {
                try run(script: migration.script)
                try note(migration)
            }
        }
        // A migration may drop functions that are in its way, so after one all function files run again.
        let all = try !missing.isEmpty || hasDamagedObjects()
        let files = scripts.functions.filter { all ? !record.hasReplaced($0) : stale.contains($0.name) }
        if !files.isEmpty {
            for file in files { try apply(file) }
            try refuseOverloads()
            try noteSchemaObjects(ofAllFiles: all)
        }
        return SchemaChanges(migrations: missing, functions: files.map(\.name))
    }

    private func makeRecordTables() throws {
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
                )
                """)
    }

    private func note(_ migration: Migration) throws {
        try query(
            """
            INSERT INTO schema_migrations (number, name, is_breaking)
            VALUES (\(migration.number), \(migration.name), \(migration.isBreaking))
            """)
    }

    private func apply(_ file: FunctionFile) throws {
        try run(script: file.script)
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
