import Access
import Processes
import Queue
import Terminal

extension TopView {
    /// All lines of the window, at most `height`.
    func lines(on screen: Screen, height: Int) -> [String] {
        guard let snapshot else { return ["Looking …"] }
        var lines = head(snapshot, on: screen)
        let room = max(height - lines.count - 1, 3)
        lines += page.map { pageLines($0, on: screen) } ?? panes(snapshot, on: screen, room: room)
        if lines.count > height - 1 { lines = Array(lines.prefix(height - 1)) }
        lines += Array(repeating: "", count: max(0, height - 1 - lines.count))
        return lines + [foot(on: screen)]
    }

    private func head(_ snapshot: TopSnapshot, on screen: Screen) -> [String] {
        let rate = snapshot.throughput.lanes.compactMap { $0.spans[.tenSeconds]?.callsPerSecond }.reduce(0, +)
        let waiting = snapshot.lanes.map { $0.ready + $0.later }.reduce(0, +)
        let title =
            "\(screen.styled("waypost top", .bold))  \(Words.time(snapshot.asOf, asOf: snapshot.asOf))  "
            + "\(Words.count(snapshot.lanes.count, "lane")), \(Words.count(snapshot.workers.count, "worker")), "
            + "\(Readable.rate(rate)) calls, \(Words.count(waiting, "job waits", "jobs wait"))"
        let room = max(screen.width - 24, 10)
        let shown = Array(rates.suffix(room))
        let most = shown.max() ?? 0
        let line = shown.isEmpty ? "" : Sparkline.text(shown)
        return [title, "\(screen.styled(line, .cyan))  most \(Readable.rate(most))", ""]
    }

    private func panes(_ snapshot: TopSnapshot, on screen: Screen, room: Int) -> [String] {
        let (lanes, workers) = (lanes, workers)
        let traffic = snapshot.traffic.tokens.isEmpty ? [] : snapshot.traffic.table.lines(on: screen) + [""]
        let trafficRows = min(traffic.count, max(room / 4, 3))
        // Each pane needs a heading and a blank line, and the selected lane a sentence.
        let rows = max(room - 7 - trafficRows, 3)
        let laneRows = min(lanes.count, max(rows / 2, rows - workers.count - max(troubles.count, 1)))
        let workerRows = min(workers.count, max((rows - laneRows) / 2, rows - laneRows - max(troubles.count, 1)))
        var lines = window(laneTable(lanes, snapshot).lines(on: screen), laneRows, around: laneIndex)
        if lanes.isEmpty {
            lines.append(filter.isEmpty ? "There is no lane." : "No lane has \"\(filter)\" in its name.")
        }
        lines.append(lane.map { screen.styled(sentence(of: $0), .dim) } ?? "")
        lines.append("")
        if workers.isEmpty {
            lines.append(
                filter.isEmpty ? "No worker is running. Start one with 'waypost worker'." : "No worker matches.")
        } else {
            lines += window(workerTable(workers, snapshot).lines(on: screen), workerRows, around: workerIndex)
        }
        lines.append("")
        if trafficRows > 0 { lines += traffic.prefix(trafficRows - 1) + [""] }
        lines.append(screen.styled(troubles.isEmpty ? "No errors in the last minute." : "ERRORS", .bold))
        let left = max(room - lines.count, 0)
        lines += troubles.prefix(left).map { trouble in
            let time = Words.time(trouble.at, asOf: snapshot.asOf)
            return "\(time)  \(screen.styled(trouble.lane, .yellow))  \(trouble.text.onOneLine)"
        }
        return lines
    }

    /// The heading and as many rows as fit, including the selected one.
    private func window(_ lines: [String], _ rows: Int, around index: Int) -> [String] {
        let body = lines.dropFirst()
        guard body.count > rows, rows > 0 else { return lines }
        let first = min(max(index - rows / 2, 0), body.count - rows)
        return [lines[0]] + body.dropFirst(first).prefix(rows)
    }

    private func laneTable(_ lanes: [LaneState], _ snapshot: TopSnapshot) -> Table {
        let marks = marks(lanes.count, laneIndex, in: .lanes)
        let rows = zip(lanes, marks).map { (lane: $0, mark: $1, throughput: snapshot.throughput(of: $0)) }
        return Table(
            [
                .left(" ") { $0.mark }, .left("LANE") { $0.lane.lane },
                .left("STATE", style: conditionStyle) { $0.lane.condition.word },
                .right("WAITING") { Readable.count($0.lane.ready + $0.lane.later) },
                .left("USED") { $0.throughput?.usedShare.map(Self.bar) ?? "no limit" },
                .right("CALLS") { Readable.rate($0.throughput?.spans[.tenSeconds]?.callsPerSecond ?? 0) },
                .right("OUT") { Readable.count($0.throughput?.spans[.day]?.counts.underWay ?? 0) },
                .right("OLDEST") { $0.lane.oldestWaited.map(Readable.duration) ?? "-" },
                .left("DONE IN") { $0.lane.estimate.text },
            ], of: rows)
    }

    /// `████▌     45%`
    private static func bar(_ share: Double) -> String {
        let width = 6
        let halves = Int(clamping: min(share, 1) * Double(width * 2))
        let bar = String(repeating: "█", count: halves / 2) + (halves % 2 == 1 ? "▌" : "")
        return bar + String(repeating: "░", count: width - bar.count) + " " + percent(share)
    }

    /// The marks of the rows: of the selected one in the active pane, and in the other one.
    private func marks(_ count: Int, _ selected: Int, in pane: Pane) -> [String] {
        (0..<count).map { $0 == selected ? (pane == self.pane ? "▶" : "·") : " " }
    }

    private func workerTable(_ workers: [WorkerState], _ snapshot: TopSnapshot) -> Table {
        let marks = marks(workers.count, workerIndex, in: .workers)
        let rows = zip(workers, marks).map { (worker: $0, mark: $1, spans: snapshot.spans(of: $0)) }
        return Table(
            [
                .left(" ") { $0.mark }, .left("WORKER") { $0.worker.name }, .left("HOST") { $0.worker.host },
                .right("JOBS") { Readable.count($0.worker.held) },
                .right("CALLS") { Readable.rate($0.spans[.tenSeconds]?.callsPerSecond ?? 0) },
                .right("MINUTE") { Readable.rate($0.spans[.minute]?.callsPerSecond ?? 0) },
                .right("MEMORY") { $0.worker.memory.map(Readable.bytes) ?? "-" },
                .left("HEARD OF") { "\(Readable.duration($0.worker.silence)) ago" },
                .left("", style: { $0 == "quiet" ? .yellow : nil }) { $0.worker.isQuiet ? "quiet" : "" },
            ], of: rows)
    }

    private func sentence(of lane: LaneState) -> String {
        var parts = ["\(lane.lane) is \(lane.conditionText)"]
        parts.append(lane.limits.isEmpty ? "no limits" : "limits \(lane.limits.text)")
        if lane.pace < 1 { parts.append("slowed to \(percent(lane.pace))") }
        if lane.dead > 0 { parts.append("\(Readable.count(lane.dead)) dead") }
        if let failures = lane.failures, lane.condition.reason?.hasSuffix(failures.reason) != true {
            parts.append(failures.sentence(asOf: lane.asOf))
        }
        parts.append(lane.workers == 0 ? "no worker serves it" : Words.count(lane.workers, "worker"))
        return parts.joined(separator: "; ")
    }

    private func pageLines(_ page: Page, on screen: Screen) -> [String] {
        switch page {
        case .help: Self.help
        case .job(let text): text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case .jobs(let lane, let jobs, let selected): jobLines(of: lane, jobs, selected, on: screen)
        }
    }

    private func jobLines(of lane: String, _ jobs: [JobState], _ selected: Int, on screen: Screen) -> [String] {
        if jobs.isEmpty { return ["No job of \(lane) waits, is held, or is dead."] }
        var table = Table(
            .left(" "), .right("JOB"), .left("STATE"), .right("SUBJECTS"), .left("PRIORITY"), .right("FAILED"),
            .left("WHEN"), .left("WORKER"), .left("REASON"))
        for (number, job) in jobs.enumerated() {
            table.add(
                number == selected ? "▶" : " ", "\(job.id)", job.kind.rawValue, Readable.count(job.subjects.count),
                job.priorityText, Readable.count(job.failures), job.when, job.worker?.name ?? "", job.reason ?? "")
        }
        return ["Jobs of \(lane)", ""] + window(table.lines(on: screen), max(screen.height - 7, 3), around: selected)
    }

    private func foot(on screen: Screen) -> String {
        switch question {
        case .filter: return prompt("Show lanes and workers with: ", "Enter keeps it, Escape ends", on: screen)
        case .limit(let lane):
            return prompt("Limits of \(lane): ", "such as 20/s 300/min, or none; Escape leaves it", on: screen)
        case .sure(let question, _):
            let answers = " [y/N]"
            let room = screen.width - answers.count
            let shown = question.count > room ? question.prefix(max(0, room - 1)) + "…" : question[...]
            return screen.styled(String(shown), .yellow, .bold) + answers
        case nil: break
        }
        if !message.isEmpty { return screen.styled(message.onOneLine, .yellow) }
        let keys =
            switch page {
            case nil: "↑↓ Tab  Enter jobs  p pause  l limit  w quiet  s sort  / filter  ? help  q quit"
            case .jobs: "↑↓ select  Enter open  Escape back  q quit"
            case .help, .job: "Escape back  q quit"
            }
        return screen.styled(keys, .dim)
    }

    /// The typed text, followed by the help if it fits. A line that is too long shows its end, where the person types.
    private func prompt(_ title: String, _ help: String, on screen: Screen) -> String {
        let room = screen.width - 1
        let line = title + typed
        if line.count >= room { return "…" + line.suffix(max(0, room - 2)) + "█" }
        let hint = "█   " + help
        return line + (line.count + hint.count <= room ? hint : "█")
    }

    private static let help = [
        "Lanes: the queue of each provider. USED is the share of the permitted calls of the last",
        "minute, CALLS the rate of the last ten seconds, OUT the calls under way, OLDEST how long the",
        "job waits that became due first. GATEWAY has the requests of programs in the last minute or",
        "two, by token.",
        "",
        "↑ ↓ j k      select a row        Tab    lanes or workers",
        "Enter        the lane's jobs; Enter again opens one",
        "p            pause the lane, or resume it",
        "l            change the limits of the lane",
        "w            make the worker quiet, or let it claim again",
        "s            sort lanes by name, waiting, rate, used, oldest",
        "/            show only what has this in its name",
        "q Ctrl-C     quit",
        "",
        "What changes something is asked first.",
    ]
}

extension String {
    /// The text without line breaks.
    fileprivate var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
