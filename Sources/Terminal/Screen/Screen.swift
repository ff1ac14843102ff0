import Glibc
import Operations

/// Where a command writes: standard output or standard error, and what is known of the reader.
///
/// It writes at once, unlike `print`, which keeps its lines while the output is a pipe.
package struct Screen: Sendable {
    package static let output = Screen(descriptor: STDOUT_FILENO)
    package static let errors = Screen(descriptor: STDERR_FILENO)

    package let isTerminal: Bool
    package let hasColor: Bool
    private let measure: @Sendable () -> Int
    private let sink: @Sendable (String) -> Void
    private let status = Status()

    /// A screen of a test's own.
    package init(
        isTerminal: Bool = false, hasColor: Bool = false, width: Int = 80,
        sink: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.isTerminal = isTerminal
        self.hasColor = hasColor
        self.sink = sink
        measure = { width }
    }

    private init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        self.isTerminal = isTerminal
        hasColor = Self.wantsColor(isTerminal: isTerminal, environment: variable)
        measure = { Self.width(window: windowWidth(descriptor), columns: variable("COLUMNS")) }
        sink = { Descriptor(number: descriptor).write($0) }
    }

    /// In columns. Asked each time, because a window can be resized.
    package var width: Int { measure() }

    package func write(_ text: String) {
        sink(text.onScreen(hasColor: hasColor))
    }

    /// Clears the line that was begun.
    package func clearLine() { sink(Self.start) }

    /// Writes a line, above the status where there is one.
    package func writeLine(_ line: String = "") {
        let line = line.onScreen(hasColor: hasColor)
        status.text.withLock { status in
            guard !status.isEmpty else { return sink(line + "\n") }
            sink(Self.start + line + "\n" + status)
        }
    }

    /// Shows `text` on the last line of a terminal, in place of the status before it. A blank one clears the line.
    func show(status text: String) {
        let text = text.onScreen(hasColor: hasColor)
        status.text.withLock { status in
            guard !text.isEmpty || !status.isEmpty else { return }
            sink(text.isEmpty ? Self.start : "\r" + text + "\u{1B}[K")
            status = text
        }
    }

    /// Leaves the status where it is, and goes on below it.
    func keepStatus() {
        status.text.withLock { status in
            sink("\n")
            status = ""
        }
    }

    /// To the start of the line, which becomes blank.
    private static let start = "\r\u{1B}[K"

    /// What stands on the last line and is written again below each line that comes.
    private final class Status: Sendable {
        let text = Locked("")
    }

    /// The window's own width, what COLUMNS says, or 80.
    static func width(window: Int?, columns: String?) -> Int {
        let known = [window, columns.flatMap { Int($0) }].compactMap(\.self)
        return known.first { $0 > 0 } ?? 80
    }
}

private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

private func windowWidth(_ descriptor: Int32) -> Int? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : nil
}
