import Postgres
import Processes
import Queue
import Schema
import Sinks
import Terminal

struct MigrateCommand: ChangingCommand {
    static let name = "migrate"
    static let summary = "Bring the database's schema and its roles up to date."
    static let discussion = """
        Safe to run at any time, and by any number of processes at once. Readers and writers wait at most 100 ms for a \
        migration after number 20: a lock that is not free is tried again later, and a migration that can't keep to this \
        on a large table is refused. After an interruption, run it again: it continues where it stopped.
        """

    @Flag("--check", "Only check: exit with 1 if the database lacks something.") var isCheck
    @Flag("-n", "--dry-run", "Only print the steps, with their tables and locks.") var isDryRun
    @Flag("--allow-long-locks", "Let a migration lock a large table for as long as it takes.") var allowsLongLocks

    @Flag("--restored", "The database was restored to an earlier moment: let limits and clients begin again.")
    var isRestored

    var changes: Bool { !isCheck && !isDryRun }

    func run() async throws {
        if isRestored, !changes { throw UsageError("--restored changes the database: leave --check and --dry-run out") }
        let settings = try Settings.current()
        try await settings.waitForCluster()
        let app = Application(
            settings, url: try Application.url(for: settings), connections: 2, patience: .seconds(30))
        if isDryRun {
            try await printPlan(of: app.database)
        } else if isCheck {
            try await check(app.database)
        } else {
            try await migrate(app)
        }
        await app.close()
    }

    private func check(_ database: Database) async throws {
        try await database.requireSchema(Schema.scripts)
        try await database.run { try $0.requireSchemaObjects() }
        Screen.output.writeLine("The schema is up to date.")
    }

    private func printPlan(of database: Database) async throws {
        guard case .behind(let missing, let functions) = try await database.schemaState(comparedWith: Schema.scripts)
        else { return try await check(database) }
        let steps = try await database.plannedSteps(of: Schema.scripts)
        for step in steps { Screen.output.writeLine(step.line) }
        let separate = Set(steps.map(\.migration.number))
        let others = missing.filter { !separate.contains($0) }
        Screen.output.writeLine(
            "One transaction: "
                + (others.isEmpty ? "" : "the migrations \(others.map(String.init).joined(separator: ", ")), ")
                + "\(Words.count(functions.count, "function file")), and the roles")
        if let first = others.first, first <= Migration.lastWithoutSteps, first > 1 {
            Screen.output.writeLine("It locks the tables that it changes until it ends.")
        }
    }

    private func migrate(_ app: Application) async throws {
        var limits = LockLimits()
        if allowsLongLocks { limits.hold = nil }
        let done = try await app.prepareDatabase(under: limits)
        let (migrations, functions) = (done.changes.migrations, done.changes.functions)
        if done.changes.isEmpty { Screen.output.writeLine("The schema is up to date.") }
        if !migrations.isEmpty {
            Screen.output.writeLine("Took the migrations \(migrations.map(String.init).joined(separator: ", ")).")
        }
        if !functions.isEmpty {
            let names = functions.joined(separator: ", ")
            Screen.output.writeLine(
                functions.count < Schema.scripts.functions.count
                    ? "Applied the changed functions: \(names)." : "Applied all functions.")
        }
        for lock in done.changes.locks { Screen.output.writeLine(lock.sentence) }
        let shortfall = done.roles.shortfall.map { "Roles: \($0); \(done.roles.remedy)." }
        Screen.output.writeLine(shortfall ?? "The roles are up to date.")
        for case let loss? in try await app.database.run({ try SinkStore().sinks(on: $0).map(\.loss) }) {
            Screen.output.writeLine("Sinks: \(loss.problem); \(loss.remedy).")
        }
        if isRestored {
            try await app.database.transaction { try JobQueue().beginAfterRestore(on: $0) }
            Screen.output.writeLine("All limits begin without a token, and clients of updated_since begin with 0.")
        }
    }
}

extension LockReport {
    /// One sentence for a person.
    fileprivate var sentence: String {
        let subject = migration.map { "Migration \($0)" } ?? "The last transaction"
        let tries = waits == 0 ? "" : ", and gave up \(Words.count(waits, "time")) because a lock was not free"
        return "\(subject) held locks for at most \(Readable.duration(longest))\(tries)."
    }
}

extension PlannedStep {
    /// One line for a person.
    fileprivate var line: String {
        let work =
            switch step.kind {
            case .short: "one transaction, with locks for at most 100 ms"
            case .validation: "one transaction, which stops no reader or writer"
            case .concurrent: "outside of a transaction; it stops no reader or writer"
            case .batches(let table): "batches of \(table); each locks its rows for at most 100 ms"
            }
        let size =
            table.map { "; \($0.name) has about \(Readable.count($0.rows)) rows, \(Readable.bytes($0.bytes))" } ?? ""
        return "Migration \(migration.number) (\(migration.name)), step \(number): \(work)\(size)"
    }
}
