/// The progress of long work, on one line that is redrawn.
///
///     var bar = ProgressBar("Importing", total: rows.count)
///     for row in rows { …; bar.update(done: count) }
///     bar.finish()
///
/// Without a terminal it writes a plain line from time to time, so that a log shows that the work goes on.
package struct ProgressBar: Sendable {
    let title: String
    let screen: Screen
    let start: ContinuousClock.Instant
    let unit: Unit

    /// The unit of the count.
    package enum Unit: Sendable { case count, bytes }

    var total: Int?
    var done: Int
    var label = ""
    var pace: Pace
    private var lastDrawn: ContinuousClock.Instant?

    /// Without a `total` it shows a count and a speed, but no bar and no remaining time. If the work continues earlier
    /// work, `from` is the count at which that stopped.
    package init(
        _ title: String, total: Int?, from done: Int = 0, unit: Unit = .count, on screen: Screen = .errors,
        at now: ContinuousClock.Instant = .now
    ) {
        self.title = title
        self.total = total
        self.unit = unit
        self.screen = screen
        start = now
        self.done = done
        pace = Pace(from: done, at: now)
        lastDrawn = screen.isTerminal ? nil : now
    }

    /// Updates the count. It draws at most ten times a second, so it may be called as often as needed.
    package mutating func update(
        done: Int, total: Int? = nil, label: String? = nil, at now: ContinuousClock.Instant = .now
    ) {
        self.done = done
        self.total = total ?? self.total
        self.label = label?.printable ?? self.label
        pace.record(done, at: now)
        let interval: Duration = screen.isTerminal ? .milliseconds(100) : .seconds(10)
        guard lastDrawn.map({ now - $0 >= interval }) ?? true else { return }
        draw(at: now)
        if !screen.isTerminal { screen.write("\n") }
    }

    /// Draws the final state, which stays on the terminal.
    package mutating func finish(at now: ContinuousClock.Instant = .now) {
        guard screen.isTerminal else { return }
        draw(at: now)
        screen.keepStatus()
    }

    /// Clears the line, so that something else can be written there. The next update draws the bar again.
    package mutating func erase() {
        guard screen.isTerminal else { return }
        screen.show(status: "")
        lastDrawn = nil
    }

    private mutating func draw(at now: ContinuousClock.Instant) {
        lastDrawn = now
        guard screen.isTerminal else { return screen.write(line(width: .max, at: now)) }
        // The last column stays empty: some terminals wrap when it is filled.
        screen.show(status: line(width: screen.width - 1, at: now))
    }
}
