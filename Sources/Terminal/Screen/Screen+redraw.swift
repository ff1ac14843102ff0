import Operations

extension Screen {
    /// What `body` writes, as this screen would show it.
    package func capture(_ body: (Screen) throws -> Void) rethrows -> String {
        let text = Locked("")
        let copy = Screen(isTerminal: isTerminal, hasColor: hasColor, width: width) { more in
            text.withLock { $0 += more }
        }
        try body(copy)
        return text.withLock { $0 }
    }

    /// Whether what was shown can be drawn over. Where it can't, the next look stands below the last one.
    package var canRedraw: Bool { isTerminal && hasCursor }

    /// Shows captured text at the top of the window, in place of all that stands there; what has no room is left out.
    ///
    /// The last line stays free for the cursor, unless the text is for all of the window.
    package func redraw(_ text: String, usingAll isWhole: Bool = false) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if !isWhole, lines.last?.isEmpty == true { lines.removeLast() }
        let room = max(isWhole ? height : height - 1, 1)
        if lines.count > room {
            lines = lines.prefix(room - 1) + ["… \(lines.count - room + 1) more lines; the window is too small."]
        }
        // Lines that are too long are cut, not wrapped: https://vt100.net/docs/vt510-rm/DECAWM.html
        let body = lines.map { "\($0)\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n") + (isWhole ? "" : "\r\n")
        send("\u{1B}[?7l\u{1B}[H" + body + "\u{1B}[J\u{1B}[?7h")
    }
}

extension Screen {
    /// Clears the window.
    package func clear() { send("\u{1B}[2J\u{1B}[H") }

    /// Writes captured text as it is.
    package func writeCaptured(_ text: String) { send(text) }
}
