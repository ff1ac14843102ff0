package import Processes
import Queue

/// The metrics of a worker: their names and help texts.
package struct WorkerInstruments: Sendable {
    private let calls: Family<Counter>
    private let callTimes: Family<Histogram>
    private let waits: Family<Histogram>
    private let claimTimes: Family<Histogram>
    private let recordTimes: Family<Histogram>
    private let slipped: Family<Counter>
    private let voided: Family<Counter>
    private let late: Family<Counter>
    private let running: Family<Gauge>
    private let held: Family<Gauge>
    private let uncertainty: Family<Gauge>

    package init(_ metrics: Metrics) {
        calls = metrics.counter(
            "waypost_calls_total", "Calls that this worker made, by how they ended.", labels: "lane", "outcome")
        callTimes = metrics.histogram(
            "waypost_call_duration_seconds", "From the moment a call left until its answer was there.", labels: "lane")
        waits = metrics.histogram(
            "waypost_queue_wait_seconds", "From the moment a job was due until its slot.", labels: "lane",
            buckets: Histogram.waits)
        claimTimes = metrics.histogram(
            "waypost_claim_duration_seconds", "How long claims take, the way to the database included.",
            labels: "lane")
        recordTimes = metrics.histogram(
            "waypost_record_duration_seconds", "How long it takes to store results, tries that failed included.",
            labels: "lane")
        slipped = metrics.counter(
            "waypost_slipped_calls_total", "Calls that left after their slots had ended.", labels: "lane")
        voided = metrics.counter(
            "waypost_voided_slots_total", "Slots that passed without a call.", labels: "lane")
        late = metrics.counter(
            "waypost_late_results_total", "Results that came when another worker had the job.", labels: "lane")
        running = metrics.gauge("waypost_calls_in_flight", "Calls that are under way.", labels: "lane")
        held = metrics.gauge(
            "waypost_worker_jobs", "Jobs that this worker holds: waiting for their slots, called, or being stored.",
            labels: "lane")
        uncertainty = metrics.gauge(
            "waypost_clock_uncertainty_seconds", "How far apart the bounds are between which the database's clock is.",
            labels: "lane")
    }

    /// Returns the metrics of one lane. All of its series exist from now on, so that the first call is an increase.
    package func lane(_ name: String) -> LaneInstruments {
        LaneInstruments(
            calls: Dictionary(CallOutcome.reported.map { ($0, calls[name, $0.rawValue]) }) { first, _ in first },
            callTimes: callTimes[name], waits: waits[name], claimTimes: claimTimes[name],
            recordTimes: recordTimes[name], slipped: slipped[name], voided: voided[name], late: late[name],
            running: running[name], held: held[name], uncertainty: uncertainty[name])
    }
}

/// The metrics of a worker in one lane.
package struct LaneInstruments: Sendable {
    let calls: [CallOutcome: Counter]
    let callTimes: Histogram
    let waits: Histogram
    let claimTimes: Histogram
    let recordTimes: Histogram
    let slipped: Counter
    let voided: Counter
    let late: Counter
    let running: Gauge
    let held: Gauge
    let uncertainty: Gauge

    /// Counts the calls that the log will contain.
    func ended(_ report: JobReport) {
        if case .void = report.outcome { voided.add() }
        guard report.startedAt != nil, report.outcome.inLog.isCall else { return }
        calls[report.outcome.inLog]?.add()
        if let took = report.took { callTimes.observe(took) }
        if report.hasSlipped { slipped.add() }
    }

    func claimed(_ claimed: LaneMachine.Claimed) {
        claimTimes.observe(claimed.askedAt.duration(to: claimed.answered))
        waits.observe(
            claimed.claim.jobs.map { job in
                max(0, ((job.slot?.opens ?? claimed.claim.toldAt) - job.dueAt) / .seconds(1))
            })
    }

    func show(_ hand: LaneHand) {
        running.set(Double(hand.running.count))
        held.set(Double(hand.count))
    }
}
