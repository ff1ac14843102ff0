import Processes

extension Screen {
    /// Returns the output of `body`, formatted for this screen.
    package func capture(_ body: (Screen) throws -> Void) rethrows -> String {
        let text = Locked("")
        let copy = Screen(isTerminal: isTerminal, hasColor: hasColor, width: width) { more in
            text.withLock { $0 += more }
        }
        try body(copy)
        return text.withLock { $0 }
    }

    /// True if earlier output can be overwritten. Otherwise each refresh is written below the last one.
    package var canRedraw: Bool { isTerminal && hasCursor }

    /// Shows captured text at the top of the window and clears the rest; lines without room are left out.
    ///
    /// The last line stays free for the cursor, unless the text uses the whole window.
    package func redraw(_ text: String, usingAll isWhole: Bool = false) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if !isWhole, lines.last?.isEmpty == true { lines.removeLast() }
        let room = max(isWhole ? height : height - 1, 1)
        if lines.count > room {
            lines = lines.prefix(room - 1) + ["… \(lines.count - room + 1) more lines; the window is too small."]
        }
        // Long lines are cut, not wrapped: https://vt100.net/docs/vt510-rm/DECAWM.html
        let body = lines.map { "\($0)\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n") + (isWhole ? "" : "\r\n")
        send("\u{1B}[?7l\u{1B}[H" + body + "\u{1B}[J\u{1B}[?7h")
    }
}

extension Screen {
    /// Clears the window.
    package func clear() { send("\u{1B}[2J\u{1B}[H") }

    /// Writes captured text without changing it.
    package func writeCaptured(_ text: String) { send(text) }
}
