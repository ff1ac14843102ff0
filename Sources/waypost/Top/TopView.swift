import Queue
import Terminal

/// The action of a key in `waypost top`.
enum TopAction: Hashable, Sendable {
    case quit
    case pause(String)
    case resume(String)
    case limit(String, [RateLimit])
    case quiet(WorkerID)
    case wake(WorkerID)
    case showJobs(lane: String)
    case showJob(Int)
}

/// The state of `waypost top`: the data, the selection, and the typed text. It does no I/O.
struct TopView: Sendable {
    enum Pane: Sendable { case lanes, workers }

    enum Order: String, CaseIterable, Sendable {
        case name, waiting, rate, used, oldest
    }

    /// The input that the last line requests.
    enum Question: Sendable {
        case filter
        case limit(lane: String)
        case sure(String, TopAction)
    }

    /// A page that covers the panes until Escape.
    enum Page: Sendable {
        case help
        case jobs(lane: String, [JobState], selected: Int)
        case job(String)
    }

    private(set) var snapshot: TopSnapshot?
    /// Calls a second between two snapshots, the latest last.
    private(set) var rates: [Double] = []
    private(set) var troubles: [TopTrouble] = []
    private(set) var pane = Pane.lanes
    private(set) var order = Order.name
    private(set) var filter = ""
    private(set) var question: Question?
    private(set) var typed = ""
    private(set) var page: Page?
    /// The result of the last action, or an error.
    var message = ""

    private var selectedLane: String?
    private var selectedWorker: WorkerID?

    // MARK: What is shown

    var lanes: [LaneState] {
        let shown = (snapshot?.lanes ?? []).filter { filter.isEmpty || $0.lane.contains(filter) }
        func rank(_ value: (LaneState) -> Double) -> [LaneState] {
            shown.sorted { (value($1), $0.lane) < (value($0), $1.lane) }
        }
        return switch order {
        case .name: shown.sorted { $0.lane < $1.lane }
        case .waiting: rank { Double($0.ready + $0.later) }
        case .rate: rank { lane in snapshot?.throughput(of: lane)?.spans[.tenSeconds]?.callsPerSecond ?? 0 }
        case .used: rank { lane in snapshot?.throughput(of: lane)?.usedShare ?? 0 }
        case .oldest: rank { ($0.oldestWaited ?? .zero) / .seconds(1) }
        }
    }

    var workers: [WorkerState] {
        (snapshot?.workers ?? []).filter { worker in
            filter.isEmpty || worker.name.contains(filter) || worker.lanes.contains { $0.contains(filter) }
        }
    }

    /// The selected row of each pane, or the first one if the selection is gone.
    var laneIndex: Int { lanes.firstIndex { $0.lane == selectedLane } ?? 0 }
    var workerIndex: Int { workers.firstIndex { $0.id == selectedWorker } ?? 0 }

    var lane: LaneState? { lanes.isEmpty ? nil : lanes[laneIndex] }
    var worker: WorkerState? { workers.isEmpty ? nil : workers[workerIndex] }

    // MARK: What happens

    mutating func see(_ snapshot: TopSnapshot) {
        if let last = self.snapshot, snapshot.asOf > last.asOf {
            let rate = Double(max(0, snapshot.calls - last.calls)) / ((snapshot.asOf - last.asOf) / .seconds(1))
            rates = (rates + [rate]).suffix(300)
        }
        self.snapshot = snapshot
        let known = Set(troubles)
        let news = (snapshot.troubles.map(TopTrouble.init) + snapshot.dead.map(TopTrouble.init)).filter {
            !known.contains($0)
        }
        troubles = Array((news + troubles).sorted { $1.at < $0.at }.prefix(200))
    }

    mutating func show(_ page: Page) { self.page = page }

    /// Handles a key, and returns the resulting action.
    mutating func press(_ key: Key) -> TopAction? {
        message = ""
        if let question { return answer(question, key) }
        if let page { return turn(page, key) }
        switch key {
        case .character("q"), .escape: return .quit
        case .character("?"), .character("h"): page = .help
        case .tab, .left, .right: pane = pane == .lanes ? .workers : .lanes
        case .down, .character("j"): move(by: 1)
        case .up, .character("k"): move(by: -1)
        case .pageDown: move(by: 10)
        case .pageUp: move(by: -10)
        case .home: move(by: -.max)
        case .end: move(by: .max)
        case .character("s"):
            let orders = Order.allCases
            order = orders[((orders.firstIndex(of: order) ?? 0) + 1) % orders.count]
            message = "Sorted by \(order.rawValue)."
        case .character("/"): (question, typed) = (.filter, filter)
        case .enter: return lane.map { .showJobs(lane: $0.lane) }
        case .character("p"): askToSwitch()
        case .character("l"):
            guard let lane else { break }
            (question, typed) = (.limit(lane: lane.lane), lane.limits.map(\.limit.text).joined(separator: " "))
        case .character("w"): askToQuiet()
        default: break
        }
        return nil
    }

    private mutating func askToSwitch() {
        guard let lane else { return }
        switch lane.condition {
        case .open, .probing:
            question = .sure("Pause \(lane.lane)? No call starts until it is resumed.", .pause(lane.lane))
        case .paused, .stopped, .blocked: question = .sure("Resume \(lane.lane)?", .resume(lane.lane))
        }
    }

    private mutating func askToQuiet() {
        guard let worker else { return }
        let name = "\(worker.name) (\(worker.id))"
        question =
            worker.isQuiet
            ? .sure("Let \(name) claim jobs again?", .wake(worker.id))
            : .sure("Make \(name) finish its jobs and claim no more?", .quiet(worker.id))
    }

    private mutating func move(by step: Int) {
        func moved(_ index: Int, of count: Int) -> Int {
            let target = index.addingReportingOverflow(step)
            return target.overflow ? (step > 0 ? count - 1 : 0) : min(max(target.partialValue, 0), count - 1)
        }
        switch pane {
        case .lanes where !lanes.isEmpty: selectedLane = lanes[moved(laneIndex, of: lanes.count)].lane
        case .workers where !workers.isEmpty: selectedWorker = workers[moved(workerIndex, of: workers.count)].id
        default: break
        }
    }

    private mutating func turn(_ page: Page, _ key: Key) -> TopAction? {
        switch (key, page) {
        case (.character("q"), _): return .quit
        case (.escape, _), (.left, _), (.backspace, _): self.page = nil
        case (.enter, .jobs(_, let jobs, let selected)) where jobs.indices.contains(selected):
            return .showJob(jobs[selected].id)
        case (.enter, _): self.page = nil
        case (.down, .jobs(let lane, let jobs, let selected)),
            (.character("j"), .jobs(let lane, let jobs, let selected)):
            self.page = .jobs(lane: lane, jobs, selected: min(selected + 1, max(jobs.count - 1, 0)))
        case (.up, .jobs(let lane, let jobs, let selected)), (.character("k"), .jobs(let lane, let jobs, let selected)):
            self.page = .jobs(lane: lane, jobs, selected: max(selected - 1, 0))
        default: break
        }
        return nil
    }

    private mutating func answer(_ question: Question, _ key: Key) -> TopAction? {
        if case .sure(_, let action) = question {
            self.question = nil
            if key == .character("y") { return action }
            message = "Nothing was changed."
            return nil
        }
        switch key {
        case .escape: self.question = nil
        case .backspace: _ = typed.popLast()
        case .character(let character): typed.append(character)
        case .enter:
            self.question = nil
            switch question {
            case .filter: filter = typed
            case .limit(let lane): askToLimit(lane)
            case .sure: break
            }
        default: break
        }
        if case .filter = question, self.question != nil { filter = typed }
        return nil
    }

    /// `none` means no limits; an empty line changes nothing.
    private mutating func askToLimit(_ lane: String) {
        let words = typed.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        if words.isEmpty { return message = "Nothing was changed. To remove all limits, type none." }
        if words == ["none"] {
            return question = .sure("Remove all limits of \(lane)?", .limit(lane, []))
        }
        let limits = words.compactMap(RateLimit.init(text:))
        guard limits.count == words.count else {
            return message =
                "Not a rate: \(words.first { RateLimit(text: $0) == nil } ?? ""). Type one like 20/s, 300/min or 2500/d."
        }
        if limits.hasTwoForOneTime { return message = "Two rates are for the same time; give one." }
        let text = limits.map(\.text).joined(separator: ", ")
        question = .sure("Limit \(lane) to \(text), in the whole cluster?", .limit(lane, limits))
    }
}
