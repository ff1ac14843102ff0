import FoundationEssentials
import Operations
import Postgres
import Terminal

/// Shows something once, or again and again.
struct WatchOptions: ParameterGroup {
    @Flag("--json", "Print JSON.") var json
    @Flag("--watch", "Show it again and again, until Ctrl-C.") var watch
    @Option(
        "--every", "DURATION", "With --watch: how long to wait in between.", in: .milliseconds(200)...(.seconds(3_600)))
    var every: Duration = .seconds(1)
}

extension WatchOptions {
    /// Looks, and shows what was seen: as text, or with `--json` as what `form` makes of it, a line for each look.
    ///
    /// While it watches, a database that goes away is waited for.
    func show<Seen: Sendable, Form: Encodable>(
        in home: Application.Home = .running, _ look: @Sendable (Application, isolated Connection) throws -> Seen,
        as form: (Seen) throws -> Form,
        write: (Seen, Screen) throws -> Void
    ) async throws {
        let app = try await Application.forCommand(home)
        let screen = Screen.output
        var isFirst = true
        repeat {
            if !isFirst { try await Task.sleep(for: every) }
            do {
                let seen = try await app.database.transaction { db in
                    // One moment, so that the numbers add up.
                    try db.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                    return try look(app, db)
                }
                switch (json, watch) {
                case (true, true): try screen.writeJSONLine(try form(seen))
                case (true, false): try screen.writeJSON(try form(seen))
                case (false, false): try write(seen, screen)
                case (false, true):
                    let text = try screen.capture { try write(seen, $0) }
                    if screen.canRedraw {
                        if isFirst { screen.clear() }
                        screen.redraw(text)
                    } else {
                        screen.writeCaptured(text + "\n")
                    }
                }
            } catch let error as DatabaseError where error.isConnectionLost && !isFirst {
                Screen.errors.writeLine("The database is away; trying again: \(error.message)")
            }
            isFirst = false
        } while watch
        await app.close()
    }
}
