import Glibc
import Processes

/// Uses a terminal's whole window until it is closed. Keys are read one by one and not echoed, and the former content
/// comes back at the end.
///
/// A killed process can't restore the terminal. So a shell waits next to it, and restores the terminal when this
/// process has ended.
package final class FullScreen: Sendable {
    package let screen: Screen
    package let keys: AsyncStream<Key>
    private let before: termios
    private let guardian: ChildProcess?
    private let isOpen = Locked(true)

    /// Nil if input or output is not a terminal, or the terminal has no movable cursor.
    package static func open(_ screen: Screen = .output) throws -> FullScreen? {
        guard screen.canRedraw, isatty(STDIN_FILENO) == 1 else { return nil }
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        return try FullScreen(screen, before)
    }

    private init(_ screen: Screen, _ before: termios) throws {
        self.screen = screen
        self.before = before
        guardian = try? Self.startGuardian(restoring: before)
        var raw = before
        // Ctrl-C still ends the program. Ctrl-Z is off, because it would leave the terminal in this mode.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        Self.set(&raw, VSUSP, to: 0)
        Self.set(&raw, VMIN, to: 1)
        Self.set(&raw, VTIME, to: 0)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        let (keys, more) = AsyncStream.makeStream(of: Key.self)
        self.keys = keys
        screen.send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
        startThread {
            var reader = KeyReader()
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return more.finish() }
                for key in reader.keys(in: bytes.prefix(count)) { more.yield(key) }
            }
        }
    }

    /// Restores the terminal. It may be called several times.
    package func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        guardian?.send(SIGKILL)
        var before = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        screen.send(Self.restoration)
    }

    private static let restoration = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private static func startGuardian(restoring modes: termios) throws -> ChildProcess {
        // The shell is a background process by then, and a background process that changes the terminal would be
        // stopped.
        try ChildProcess(
            "/bin/sh",
            [
                "-c",
                """
                trap '' TTOU TTIN INT HUP TERM
                cat >/dev/null
                stty "$0" </dev/tty
                printf %s "$1" >/dev/tty
                """, text(modes), restoration,
            ], input: .lifeline, output: .discarded, error: .discarded)
    }

    /// Flags and keys in hexadecimal, the format of `stty -g` that `stty` can read.
    private static func text(_ modes: termios) -> String {
        let flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag].map { String($0, radix: 16) }
        let keys = withUnsafeBytes(of: modes.c_cc) { $0.map { String($0, radix: 16) } }
        return (flags + keys).joined(separator: ":")
    }

    /// Needed because Swift sees `c_cc` as a tuple.
    private static func set(_ modes: inout termios, _ name: Int32, to value: cc_t) {
        withUnsafeMutableBytes(of: &modes.c_cc) { $0[Int(name)] = value }
    }
}
