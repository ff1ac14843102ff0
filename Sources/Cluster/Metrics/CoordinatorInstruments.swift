package import Processes

/// The metrics of a coordinator: their names and help texts.
package struct CoordinatorInstruments: Sendable {
    private let leads: Gauge
    private let rounds: Histogram
    private let acts: Family<Counter>
    private let lostWorkers: Counter
    private let leadsSince = Locked<ContinuousClock.Instant?>(nil)

    package init(_ metrics: Metrics) {
        leads = metrics.gauge("waypost_coordinator_leads", "1 where this coordinator leads, else 0.")[]
        rounds =
            metrics.histogram(
                "waypost_coordinator_round_duration_seconds", "How long rounds of this coordinator take.")[]
        lostWorkers =
            metrics.counter(
                "waypost_workers_lost_total", "Silent workers that this coordinator removed as the leader.")[]
        acts = metrics.counter(
            "waypost_coordinator_acts_total", "Steps that this coordinator made as the leader, by how they ended.",
            labels: "act", "outcome")
        metrics.gauge(
            "waypost_leadership_age_seconds", "How long this coordinator has led without a break; 0 where it does not.")[]
            .read { [leadsSince] in leadsSince.withLock { $0.map { $0.duration(to: .now) / .seconds(1) } ?? 0 } }
        for act in CoordinatorAct.allCases { for outcome in ["done", "failed"] { _ = acts[act.label, outcome] } }
    }

    func lost(_ workers: Int) { lostWorkers.add(workers) }

    func acted(_ act: CoordinatorAct, isDone: Bool) { acts[act.label, isDone ? "done" : "failed"].add() }

    /// Notes a round that succeeded.
    func round(took: Duration, leads isLeading: Bool) {
        rounds.observe(took)
        show(isLeading)
    }

    /// Rounds have failed for so long that the lead is over, if this coordinator had it.
    func standBy() { show(false) }

    private func show(_ isLeading: Bool) {
        leads.set(isLeading ? 1 : 0)
        leadsSince.withLock { $0 = isLeading ? $0 ?? .now : nil }
    }
}

extension CoordinatorAct {
    fileprivate var label: String { rawValue.replacing(" ", with: "_") }
}
