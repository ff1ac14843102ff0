/// One numbered step of the schema. Steps are only ever added.
package struct Migration: Sendable {
    package let number: Int
    package let name: String
    package let script: String

    /// A program that doesn't know this step can't work with the tables it leaves behind.
    package let isBreaking: Bool

    package init(_ number: Int, _ name: String, _ utf8: [UInt8], isBreaking: Bool = false) {
        self.number = number
        self.name = name
        self.script = String(decoding: utf8, as: UTF8.self)
        self.isBreaking = isBreaking
    }
}

/// How a database's schema compares with the steps this program knows.
package enum SchemaState: Hashable, Sendable {
    case fits
    /// Steps this program knows and the database lacks.
    case behind(missing: [Int])
    /// Steps this program has never heard of, with which it can work all the same.
    case ahead(unknown: [Int])
    /// Steps this program has never heard of, one of which breaks it.
    case tooNew(unknown: [Int])
}

extension Database {
    /// Brings the schema up to date and returns the numbers of the steps it took.
    ///
    /// Any number of processes may call this at once. A schema that is too new is left alone and
    /// refused with a ``SchemaError``.
    @discardableResult
    package func migrate(_ migrations: [Migration]) async throws -> [Int] {
        try await migrate(migrations) { _ in }.taken
    }

    /// The same, and in the same transaction what has to be done after it: all of it happens, or none.
    package func migrate<Value: Sendable>(
        _ migrations: [Migration], then finish: @Sendable (isolated Connection) throws -> Value
    ) async throws -> (taken: [Int], value: Value) {
        try await transaction { connection in
            let taken = try connection.migrate(migrations)
            return (taken, try finish(connection))
        }
    }

    /// Compares the schema without touching it.
    package func schemaState(comparedWith migrations: [Migration]) async throws -> SchemaState {
        try await run { connection in
            let exists = try connection.query("SELECT to_regclass('schema_migrations') IS NOT NULL AS exists")
            guard try exists[0].read("exists") else { return .behind(missing: migrations.map(\.number)) }
            return try connection.schemaState(comparedWith: migrations)
        }
    }

    /// Throws unless this program can work with the schema as it is.
    package func requireSchema(_ migrations: [Migration]) async throws {
        switch try await schemaState(comparedWith: migrations) {
        case .fits, .ahead: return
        case .behind(let missing): throw SchemaError.behind(missing: missing)
        case .tooNew(let unknown): throw SchemaError.tooNew(unknown: unknown, known: migrations.count)
        }
    }
}

extension Connection {
    fileprivate func migrate(_ migrations: [Migration]) throws -> [Int] {
        // Held until commit: a second process waits here, then finds every step taken.
        try query("SELECT pg_advisory_xact_lock(hashtext('waypost.migrate'))")
        try query(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number integer PRIMARY KEY,
                name text NOT NULL,
                is_breaking boolean NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """)
        switch try schemaState(comparedWith: migrations) {
        case .fits, .ahead: return []
        case .tooNew(let unknown): throw SchemaError.tooNew(unknown: unknown, known: migrations.count)
        case .behind(let missing):
            for migration in migrations where missing.contains(migration.number) { try apply(migration) }
            return missing
        }
    }

    fileprivate func schemaState(comparedWith migrations: [Migration]) throws -> SchemaState {
        let rows = try query("SELECT number, is_breaking FROM schema_migrations ORDER BY number")
        let taken = try Set(rows.map { try $0.read("number", as: Int.self) })
        let known = Set(migrations.map(\.number))
        let unknown = taken.subtracting(known).sorted()
        let breaking = try rows.filter { try $0.read("is_breaking") }.map { try $0.read("number", as: Int.self) }
        if !Set(breaking).isDisjoint(with: unknown) { return .tooNew(unknown: unknown) }
        let missing = known.subtracting(taken).sorted()
        if !missing.isEmpty { return .behind(missing: missing) }
        return unknown.isEmpty ? .fits : .ahead(unknown: unknown)
    }

    fileprivate func apply(_ migration: Migration) throws {
        try run(script: migration.script)
        try query(
            """
            INSERT INTO schema_migrations (number, name, is_breaking)
            VALUES (\(migration.number), \(migration.name), \(migration.isBreaking))
            """)
    }
}

/// The database's schema and this program don't go together.
package enum SchemaError: Error, Hashable, CustomStringConvertible {
    case behind(missing: [Int])
    case tooNew(unknown: [Int], known: Int)

    package var description: String {
        switch self {
        case .behind(let missing):
            "the database lacks \(missing.count) of this program's migrations (\(list(missing))); run: waypost migrate"
        case .tooNew(let unknown, let known):
            """
            the database was migrated by a newer waypost (it has migration \(list(unknown)), this program knows up to \
            \(known)), and an older one would damage it; install the newer waypost, or point DATABASE_URL elsewhere
            """
        }
    }

    private func list(_ numbers: [Int]) -> String {
        numbers.map(String.init).joined(separator: ", ")
    }
}
