import CLinux
import Glibc

/// Writes the log of the process for the person on call, one line for each event.
///
///     log.info("claimed", ["jobs": 4, "took": .milliseconds(12)])
///
/// Names, addresses and coordinates of contacts must never be logged: not in a message, not in a field, not in an
/// error's text. Logs are copied to systems where the contacts' consent does not apply.
package struct Log: Sendable {
    package enum Level: String, Sendable, CaseIterable {
        case debug, info, warning, error
    }

    package enum Format: String, Sendable, CaseIterable {
        /// `terminal` if the output is a terminal, otherwise `logfmt`.
        case automatic
        case terminal, logfmt, json
    }

    private let level: Level
    private let write: @Sendable (LogLine) -> Void
    private var worker: String?
    private var lane: String?
    private var job: Int?

    /// Writes lines of `level` and above to `descriptor`, by default standard error.
    package init(level: Level = .info, format: Format = .automatic, descriptor: Int32 = STDERR_FILENO) {
        let isTerminal = isatty(descriptor) == 1
        let format = format == .automatic ? (isTerminal ? .terminal : .logfmt) : format
        // https://no-color.org: the variable is set and not empty.
        let coloured = isTerminal && ProcessEnvironment.current["NO_COLOR", default: ""].isEmpty
        self.init(level: level, format: format, coloured: coloured) { writeLine($0, to: descriptor) }
    }

    /// Passes each line, with its newline, to `write`: for tests and other targets.
    package init(
        level: Level = .info, format: Format, coloured: Bool = false,
        now: @escaping @Sendable () -> Int = wallClock, write: @escaping @Sendable (String) -> Void
    ) {
        self.level = level
        self.write = { line in
            var line = line
            line.time = now()
            write(line.text(format, coloured: coloured))
        }
    }

    /// The same log with these fields on every line.
    package func with(worker: String? = nil, lane: String? = nil, job: Int? = nil) -> Log {
        var log = self
        log.worker = worker ?? self.worker
        log.lane = lane ?? self.lane
        log.job = job ?? self.job
        return log
    }

    package func debug(_ message: String, _ fields: KeyValuePairs<StaticString, any LogValue> = [:]) {
        add(.debug, message, fields)
    }

    package func info(_ message: String, _ fields: KeyValuePairs<StaticString, any LogValue> = [:]) {
        add(.info, message, fields)
    }

    package func warning(_ message: String, _ fields: KeyValuePairs<StaticString, any LogValue> = [:]) {
        add(.warning, message, fields)
    }

    package func error(_ message: String, _ fields: KeyValuePairs<StaticString, any LogValue> = [:]) {
        add(.error, message, fields)
    }

    private func add(_ level: Level, _ message: String, _ fields: KeyValuePairs<StaticString, any LogValue>) {
        guard level >= self.level else { return }
        var line = LogLine(level: level, message: message)
        if let worker { line.fields.append(("worker", worker.logged)) }
        if let lane { line.fields.append(("lane", lane.logged)) }
        if let job { line.fields.append(("job", job.logged)) }
        for (name, value) in fields { line.fields.append((name.description, value.logged)) }
        write(line)
    }
}

extension Log.Level: Comparable {
    package static func < (one: Self, other: Self) -> Bool {
        one.rank < other.rank
    }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

/// Milliseconds since 1970.
package let wallClock: @Sendable () -> Int = { Int(wall_clock_milliseconds()) }

/// Writes the line with one `write(2)`. The kernel doesn't mix lines of several processes if they fit into `PIPE_BUF`,
/// and ``LogLine`` makes them fit.
///
/// It blocks if the reader doesn't read: a process that stops is noticed, but missing lines are not. A line that can't
/// be written is dropped, because it could not be reported anywhere else.
private func writeLine(_ line: String, to descriptor: Int32) {
    var line = line
    line.withUTF8 { bytes in
        while Glibc.write(descriptor, bytes.baseAddress, bytes.count) == -1, errno == EINTR {}
    }
}
