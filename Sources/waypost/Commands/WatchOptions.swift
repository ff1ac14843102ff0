import JSON
import Postgres
import Shapes
import Terminal

/// Options for showing data once or repeatedly.
struct WatchOptions: ParameterGroup {
    @Flag("--json", "Print JSON.") var json
    @Flag("--watch", "Show it again and again, until Ctrl-C.") var watch
    @Option(
        "--every", "DURATION", "With --watch: how long to wait in between.", in: .milliseconds(200)...(.seconds(3_600)))
    var every: Duration = .seconds(1)
}

extension WatchOptions {
    /// Reads data in one transaction and shows it. With `--watch`, it waits for a database that becomes unreachable.
    func show<Seen: Sendable>(
        in home: Application.Home = .kept, _ look: @Sendable (Application, isolated Connection) throws -> Seen,
        as form: (Seen) throws -> some JSONRepresentable, write: (Seen, Screen) throws -> Void
    ) async throws {
        let app = try await Application.forCommand(home)
        var isFirst = true
        try await show {
            defer { isFirst = false }
            do {
                // A single snapshot, so that the numbers add up.
                return try await app.database.transaction(isSnapshot: true) { db in try look(app, db) }
            } catch let error as DatabaseError where error.isConnectionLost && !isFirst {
                Screen.errors.writeLine("The database is away; trying again: \(error.message)")
                return nil
            }
        } as: {
            try form($0)
        } write: {
            try write($0, $1)
        }
        await app.close()
    }

    /// Reads data and shows it: as text, or with `--json` as the JSON of `form`, one line for each time. Shows nothing
    /// if `read` returns nil.
    func show<Seen>(
        _ read: () async throws -> Seen?, as form: (Seen) throws -> some JSONRepresentable,
        write: (Seen, Screen) throws -> Void
    ) async throws {
        let screen = Screen.output
        var isFirst = true
        repeat {
            if !isFirst { try await Task.sleep(for: every) }
            defer { isFirst = false }
            guard let seen = try await read() else { continue }
            switch (json, watch) {
            case (true, true): screen.writeJSONLine(try form(seen))
            case (true, false): screen.writeJSON(try form(seen))
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
        } while watch
    }
}

/// Options for a list that may be long: a page of it, shown once or repeatedly.
struct ListOptions: ParameterGroup {
    let look = WatchOptions()
    @Option("--limit", "N", "Show at most N.", in: 1...1_000_000) var limit = PageSize.work.usual
}

extension ListOptions {
    /// Prints that the list is longer than the page, and the words that show the next page.
    ///
    /// It goes to standard error, so that it isn't taken for a row. With `--watch` it goes to the screen, which is
    /// redrawn.
    func tellOfMore(_ next: String, on screen: Screen) {
        let sentence = "There are more: \(next) shows the next, --limit N shows more at once."
        if look.watch { screen.writeLine(sentence) } else { Screen.errors.writeLine(sentence) }
    }
}

extension Screen {
    /// Writes a value as indented JSON, with its members in the order of its shape.
    func writeJSON(_ value: some JSONRepresentable) {
        let bytes = JSONWriter.bytes { value.write(to: &$0) }
        writeLine(String(decoding: JSONWriter.indented(bytes), as: UTF8.self))
    }

    /// Writes a value as JSON on one line, for a program that reads line by line.
    func writeJSONLine(_ value: some JSONRepresentable) {
        writeLine(JSONWriter.text { value.write(to: &$0) })
    }
}
