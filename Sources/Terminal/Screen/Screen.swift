import Glibc
import Processes

/// The output of a command, standard output or standard error, with the properties of the terminal.
///
/// It writes at once, unlike `print`, which buffers lines if the output is a pipe.
package struct Screen: Sendable {
    package static let output = Screen(descriptor: STDOUT_FILENO)
    package static let errors = Screen(descriptor: STDERR_FILENO)

    package let isTerminal: Bool
    let hasColor: Bool
    /// True if the cursor can be moved.
    let hasCursor: Bool
    private let measure: @Sendable () -> (columns: Int, rows: Int)
    private let sink: @Sendable (String) -> Void
    private let status = Status()

    /// A screen for tests.
    package init(
        isTerminal: Bool = false, hasColor: Bool = false, width: Int = 80, height: Int = 24,
        sink: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.isTerminal = isTerminal
        self.hasColor = hasColor
        hasCursor = isTerminal
        self.sink = sink
        measure = { (width, height) }
    }

    private init(descriptor: Int32) {
        let isTerminal = isatty(descriptor) == 1
        self.isTerminal = isTerminal
        hasColor = Self.wantsColor(isTerminal: isTerminal, environment: variable)
        hasCursor = isTerminal && ![nil, "", "dumb"].contains(variable("TERM"))
        measure = {
            let window = windowSize(descriptor)
            return (
                Self.width(window: window?.columns, columns: variable("COLUMNS")),
                Self.length(window: window?.rows, setting: variable("LINES"), otherwise: 24)
            )
        }
        sink = { Descriptor(number: descriptor).write($0) }
    }

    /// The width in columns. It is measured each time, because a window can be resized.
    package var width: Int { measure().columns }

    /// The height in lines.
    package var height: Int { measure().rows }

    package func write(_ text: String) {
        sink(text.onScreen(hasColor: hasColor))
    }

    /// Writes text unchanged; this room has already made it safe, and it may move the cursor.
    func send(_ text: String) { sink(text) }

    /// Clears the current line.
    package func clearLine() { sink(Self.start) }

    /// Writes a line, above the status if there is one.
    package func writeLine(_ line: String = "") {
        let line = line.onScreen(hasColor: hasColor)
        status.text.withLock { status in
            guard !status.isEmpty else { return sink(line + "\n") }
            sink(Self.start + line + "\n" + status)
        }
    }

    /// Shows `text` on the last line of a terminal and replaces the former status. An empty text clears the line.
    func show(status text: String) {
        let text = text.onScreen(hasColor: hasColor)
        status.text.withLock { status in
            guard !text.isEmpty || !status.isEmpty else { return }
            sink(text.isEmpty ? Self.start : "\r" + text + "\u{1B}[K")
            status = text
        }
    }

    /// Leaves the status on the screen, and continues below it.
    func keepStatus() {
        status.text.withLock { status in
            sink("\n")
            status = ""
        }
    }

    /// Moves to the start of the line and clears it.
    private static let start = "\r\u{1B}[K"

    /// The status on the last line, which is written again below each new line.
    private final class Status: Sendable {
        let text = Locked("")
    }

    /// The window's width, or else COLUMNS, or else 80.
    static func width(window: Int?, columns: String?) -> Int {
        length(window: window, setting: columns, otherwise: 80)
    }

    private static func length(window: Int?, setting: String?, otherwise usual: Int) -> Int {
        let known = [window, setting.flatMap { Int($0) }].compactMap(\.self)
        return known.first { $0 > 0 } ?? usual
    }
}

private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

private func windowSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? (Int(size.ws_col), Int(size.ws_row)) : nil
}
