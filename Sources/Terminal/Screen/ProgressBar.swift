/// How far a long piece of work is, on one line that is drawn over and over.
///
///     var bar = ProgressBar("Importing", total: rows.count)
///     for row in rows { …; bar.update(done: count) }
///     bar.finish()
///
/// Without a terminal, a plain line now and then shows in the log that it is alive.
package struct ProgressBar: Sendable {
    let title: String
    let screen: Screen
    let start: ContinuousClock.Instant
    let unit: Unit

    /// What is counted.
    package enum Unit: Sendable { case count, bytes }

    var total: Int?
    var done: Int
    var label = ""
    var pace: Pace
    private var lastDrawn: ContinuousClock.Instant?

    /// Without a `total` there is a count and a pace, but no bar and no end in sight. Work that was begun
    /// earlier goes on `from` where it stopped.
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

    /// Tells the bar where the work is. It draws at most ten times a second, so tell it as often as you like.
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

    /// Leaves the last state standing.
    package mutating func finish(at now: ContinuousClock.Instant = .now) {
        guard screen.isTerminal else { return }
        draw(at: now)
        screen.keepStatus()
    }

    /// Clears the line, for something else to be written there. The next update draws the bar again.
    package mutating func erase() {
        guard screen.isTerminal else { return }
        screen.show(status: "")
        lastDrawn = nil
    }

    private mutating func draw(at now: ContinuousClock.Instant) {
        lastDrawn = now
        guard screen.isTerminal else { return screen.write(line(width: .max, at: now)) }
        // The last column stays free: some terminals go to the next line when it is filled.
        screen.show(status: line(width: screen.width - 1, at: now))
    }
}
