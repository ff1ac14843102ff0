import Postgres
import Shapes
import Terminal

// Most commands are values of these kinds: a verb has a name, an input with its bounds and help, the call that it makes
// in one transaction, and the form of its result on a terminal. With --json the result is written by its shape.

/// The arguments and options of a verb.
protocol VerbInput: ParameterGroup {
    /// Refuses wrong combinations before the database is opened.
    func check() throws
}

extension VerbInput {
    func check() throws {}
}

struct NoInput: VerbInput {}

/// The output of a command that changes something: lines on standard output, and notes on standard error.
struct Report: ExpressibleByStringInterpolation, Sendable {
    var lines: [String]
    var notes: [String] = []

    init(_ lines: [String], notes: [String] = []) { (self.lines, self.notes) = (lines, notes) }
    init(_ line: String, note: String? = nil) { self.init([line], notes: note.map { [$0] } ?? []) }
    init(stringLiteral line: String) { self.init(line) }

    func write() {
        for line in lines { Screen.output.writeLine(line) }
        for note in notes { Screen.errors.writeLine(note) }
    }
}

/// Part of a verb that runs in a transaction.
typealias Step<Input, Result> = @Sendable (Input, Application, isolated Connection) throws -> Result

typealias Node = CommandTree.Node

extension Node {
    /// A verb that does its own work.
    static func verb<Input: VerbInput>(
        _ name: String, _: Input.Type, _ summary: String, _ discussion: String = "", changes: Bool,
        _ run: @escaping @Sendable (Input) async throws -> Void
    ) -> Self {
        .verb(Verb(name, summary, discussion) { VerbCall(input: Input(), changes: changes, body: run) })
    }

    /// Changes something in one transaction.
    static func act<Input: VerbInput>(
        _ name: String, _ input: Input.Type, _ summary: String, _ discussion: String = "",
        in home: Application.Home = .kept, _ act: @escaping Step<Input, Report>
    ) -> Self {
        verb(name, input, summary, discussion, changes: true) { input in
            try await Application.asking(home) { try act(input, $0, $1) }.write()
        }
    }

    /// Changes something after a confirmation. `find` throws ``NothingToDo`` if there is nothing to change. If `question`
    /// returns nil, no confirmation is needed.
    static func confirmed<Input: ConfirmedInput, Known: Sendable>(
        _ name: String, _ input: Input.Type, _ summary: String, _ discussion: String = "",
        in home: Application.Home = .kept, find: @escaping Step<Input, Known>,
        question: @escaping @Sendable (Known, Input) -> String?,
        _ act: @escaping @Sendable (Known, Input, Application) async throws -> Report
    ) -> Self {
        verb(name, input, summary, discussion, changes: true) { input in
            try await Application.opened(home) { app in
                let known = try await app.database.transaction { try find(input, app, $0) }
                if let question = question(known, input) { try confirm(question, isSure: input.yes) }
                return try await act(known, input, app)
            }.write()
        }
    }

    /// Shows one thing, as text or with `--json`.
    static func show<Input: VerbInput, Seen: Sendable, Form: JSONRepresentable>(
        _ name: String, _ input: Input.Type, _ summary: String, _ discussion: String = "",
        in home: Application.Home = .kept, look: @escaping Step<Input, Seen>,
        as form: @escaping @Sendable (Seen) throws -> Form,
        write: @escaping @Sendable (Seen, Screen) throws -> Void,
        after: @escaping @Sendable (Seen) throws -> Void = { _ in }
    ) -> Self {
        verb(name, With<JSONOption, Input>.self, summary, discussion, changes: false) { shown in
            let seen = try await Application.asking(home) { try look(shown.input, $0, $1) }
            if shown.options.json { Screen.output.writeJSON(try form(seen)) } else { try write(seen, .output) }
            try after(seen)
        }
    }

    /// Shows a whole list, once or repeatedly. `after` writes what follows the table.
    static func list<Input: VerbInput, Row: Sendable, Form: JSONRepresentable>(
        _ name: String, _ input: Input.Type, _ summary: String, _ discussion: String = "",
        in home: Application.Home = .kept, look: @escaping Step<Input, [Row]>,
        as form: @escaping @Sendable (Row) -> Form, empty: String? = nil, _ columns: [TableColumn<Row>],
        after: @escaping @Sendable ([Row], Screen) -> Void = { _, _ in }
    ) -> Self {
        verb(name, With<WatchOptions, Input>.self, summary, discussion, changes: false) { list in
            try await list.options.show(in: home) {
                try look(list.input, $0, $1)
            } as: {
                $0.map(form)
            } write: { rows, screen in
                if rows.isEmpty, let empty { return screen.writeLine(empty) }
                Table(columns, of: rows).write(to: screen)
                after(rows, screen)
            }
        }
    }

    /// Shows a page of a list. `look` gets the number of rows to read, and `next` the last row of the page and the first
    /// of the next one: it returns the option that shows the next page.
    static func pages<Input: VerbInput, Row: Sendable, Form: JSONRepresentable>(
        _ name: String, _ input: Input.Type, _ summary: String, _ discussion: String = "",
        in home: Application.Home = .kept, latestLast: Bool = false,
        look: @escaping @Sendable (Input, Int, Application, isolated Connection) throws -> [Row],
        as form: @escaping @Sendable (Row, Input) -> Form, empty: @escaping @Sendable (Input) -> String,
        _ columns: [TableColumn<Row>], next: @escaping @Sendable (_ last: Row, _ following: Row) -> String
    ) -> Self {
        verb(name, With<ListOptions, Input>.self, summary, discussion, changes: false) { page in
            let (input, list, limit) = (page.input, page.options, page.options.limit)
            func shown(_ found: [Row]) -> [Row] {
                let rows = found.prefix(limit)
                return latestLast ? rows.reversed() : Array(rows)
            }
            try await list.look.show(in: home) {
                // One more than requested shows whether there are more.
                try look(input, limit + 1, $0, $1)
            } as: {
                shown($0).map { form($0, input) }
            } write: { found, screen in
                if found.isEmpty { return screen.writeLine(empty(input)) }
                Table(columns, of: shown(found)).write(to: screen)
                if found.count > limit { list.tellOfMore(next(found[limit - 1], found[limit]), on: screen) }
            }
        }
    }
}

/// The input of a verb that asks for confirmation.
protocol ConfirmedInput: VerbInput {
    /// True if the person has confirmed already.
    var yes: Bool { get }
}

/// A filter matches nothing, so there is nothing to change. The command succeeds, and prints the sentence.
struct NothingToDo: Error {
    let sentence: String
}

private struct VerbCall<Input: VerbInput>: Changing {
    let input: Input
    let changes: Bool
    let body: @Sendable (Input) async throws -> Void

    func run() async throws {
        try input.check()
        do { try await body(input) } catch let nothing as NothingToDo { Screen.output.writeLine(nothing.sentence) }
    }
}

/// The input of a verb with the options of its kind after it.
private struct With<Options: ParameterGroup, Input: VerbInput>: VerbInput {
    let input = Input()
    let options = Options()

    func check() throws { try input.check() }
}

private struct JSONOption: ParameterGroup {
    @Flag("--json", "Print JSON.") var json
}

extension Application {
    /// Opens the database for a command, runs `body`, and closes it again.
    static func opened<Value: Sendable>(
        _ home: Home = .kept, _ body: (Application) async throws -> Value
    ) async throws -> Value {
        let app = try await forCommand(home)
        let result: Result<Value, any Error>
        do { result = .success(try await body(app)) } catch { result = .failure(error) }
        await app.close()
        return try result.get()
    }

    /// The same in one transaction.
    static func asking<Value: Sendable>(
        _ home: Home = .kept, _ body: @Sendable (Application, isolated Connection) throws -> Value
    ) async throws -> Value {
        try await opened(home) { app in try await app.database.transaction { try body(app, $0) } }
    }
}
