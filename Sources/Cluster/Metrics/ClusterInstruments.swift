import Processes
import Queue

/// Metrics of the state that all processes of a cluster share: their names and help texts. Each coordinator exports the
/// same numbers, so a query takes the `max by` of them.
struct ClusterInstruments: Sendable {
    private let jobs: Family<Gauge>
    private let oldestDue: Family<Gauge>
    private let states: Family<Gauge>
    private let faults: Family<Gauge>
    private let pace: Family<Gauge>
    private let rate: Family<Gauge>
    private let limits: Family<Gauge>
    private let tokens: Family<Gauge>
    private let windowCalls: Family<Gauge>
    private let windowLimits: Family<Gauge>
    private let monthCost: Family<Gauge>
    private let spread: Family<Gauge>
    private let laneWorkers: Family<Gauge>
    private let counts: [(total: Family<Total>, count: @Sendable (LaneState) -> Int)]
    private let workers: Family<Gauge>
    private let longestSilence: Family<Gauge>
    private let starts: Family<Total>
    private let coordinators: Family<Gauge>
    private let leaders: Family<Gauge>
    private let terms: Family<Total>
    private let clockSteps: Family<Total>
    private let clockRate: Family<Gauge>

    init(_ metrics: Metrics) {
        jobs = metrics.gauge(
            "waypost_lane_jobs", "Jobs of a lane: ready, for later, held by a worker, or dead.", labels: "lane", "state"
        )
        oldestDue = metrics.gauge(
            "waypost_lane_oldest_due_seconds", "How long the oldest job of a lane has been due; 0 where none is.",
            labels: "lane")
        states = metrics.gauge(
            "waypost_lane_state", "1 for the state in which a lane is, 0 for all others.", labels: "lane", "state")
        faults = metrics.gauge("waypost_lane_faults", "Failed calls in a row.", labels: "lane")
        pace = metrics.gauge(
            "waypost_lane_pace_ratio", "The share of its limits that a lane uses after complaints of the provider.",
            labels: "lane")
        rate = metrics.gauge(
            "waypost_lane_permitted_rate", "Calls a second that limits and pace permit. Unlimited lanes have none.",
            labels: "lane")
        limits = metrics.gauge(
            "waypost_lane_limit_calls", "Calls that a limit permits in its time.", labels: "lane", "per")
        tokens = metrics.gauge(
            "waypost_lane_tokens", "Calls that a limit permits at once; below 0 where slots were promised ahead.",
            labels: "lane", "per")
        windowCalls = metrics.gauge(
            "waypost_lane_window_calls", "Calls in the time of a limit up to now, for limits of an hour or longer.",
            labels: "lane", "per")
        windowLimits = metrics.gauge(
            "waypost_lane_window_limit_calls",
            "The most calls that a window of that time may have, its burst included.",
            labels: "lane", "per")
        monthCost = metrics.gauge(
            "waypost_lane_month_cost", "What the calls of this calendar month (UTC) cost at the lane's present price.",
            labels: "lane", "currency")
        spread = metrics.gauge(
            "waypost_lane_clock_spread_seconds", "How uncertain the workers of a lane are of the database's clock.",
            labels: "lane")
        laneWorkers = metrics.gauge("waypost_lane_workers", "Workers that take jobs of a lane.", labels: "lane")
        counts = [
            (metrics.total("waypost_lane_calls_total", "Calls of all workers.", labels: "lane"), \.calls),
            (
                metrics.total("waypost_lane_retries_total", "Calls of all workers that failed.", labels: "lane"),
                \.retries
            ),
            (
                metrics.total(
                    "waypost_lane_voided_slots_total", "Slots of all workers that passed without a call.",
                    labels: "lane"), \.voided
            ),
            (
                metrics.total(
                    "waypost_lane_late_results_total", "Results that came when another worker had the job.",
                    labels: "lane"), \.late
            ),
            (
                metrics.total(
                    "waypost_lane_slipped_calls_total", "Calls of all workers that left after their slots had ended.",
                    labels: "lane"), \.slipped
            ),
        ]
        workers = metrics.gauge(
            "waypost_workers", "Workers that are registered: active, quiet, or silent.", labels: "state")
        longestSilence = metrics.gauge(
            "waypost_workers_longest_silence_seconds", "Since the last heartbeat of the worker that is silent longest.")
        starts = metrics.total("waypost_worker_starts_total", "Workers that were started, or registered again.")
        coordinators = metrics.gauge("waypost_coordinators", "Coordinators that are registered.")
        leaders = metrics.gauge("waypost_leaders", "1 where a coordinator leads, 0 where none does.")
        terms = metrics.total("waypost_leadership_terms_total", "How often the lead went to another coordinator.")
        clockSteps = metrics.total("waypost_clock_steps_total", "How often the database's clock was set.")
        clockRate = metrics.gauge(
            "waypost_clock_slew_ratio", "Seconds that the database's clock gains in each second, because it is slewed.")
    }

    func show(_ reading: ClusterReading) {
        let lanes = reading.lanes
        jobs.replace(
            by: all(lanes) { lane in
                [
                    ("ready", lane.state.ready), ("later", lane.state.later), ("held", lane.state.held),
                    ("dead", lane.state.dead),
                ].map { ([lane.state.lane, $0], Double($1)) }
            })
        oldestDue.replace(by: each(lanes) { ($0.state.oldestWaited ?? .zero) / .seconds(1) })
        states.replace(
            by: all(lanes) { lane in
                LaneCondition.words.map { ([lane.state.lane, $0], $0 == lane.state.condition.word ? 1 : 0) }
            })
        faults.replace(by: each(lanes) { Double($0.state.faults) })
        pace.replace(by: each(lanes) { $0.state.pace })
        rate.replace(
            by: all(lanes) { lane in
                lane.state.limits.map { $0.limit.perSecond * $0.pace }.min().map { [([lane.state.lane], $0)] } ?? []
            })
        limits.replace(by: all(lanes) { lane in limitValues(lane) { $0.limit.calls } })
        tokens.replace(by: all(lanes) { lane in limitValues(lane) { $0.tokens } })
        windowCalls.replace(
            by: all(lanes) { lane in lane.windows.map { ([lane.state.lane, $0.limit.label], Double($0.calls)) } })
        windowLimits.replace(
            by: all(lanes) { lane in
                lane.windows.map { ([lane.state.lane, $0.limit.label], $0.limit.permitted(in: $0.limit.per)) }
            })
        monthCost.replace(
            by: all(lanes) { lane in
                lane.state.settings.price.map { [([lane.state.lane, $0.currency], $0.cost(of: lane.monthCalls))] } ?? []
            })
        spread.replace(by: each(lanes) { $0.spread / .seconds(1) })
        laneWorkers.replace(by: each(lanes) { Double($0.state.workers) })
        for (total, count) in counts { total.replace(by: each(lanes) { Double(count($0.state)) }) }
        workers.replace(by: [
            ["active"]: Double(reading.workers.active), ["quiet"]: Double(reading.workers.quiet),
            ["silent"]: Double(reading.workers.silent),
        ])
        longestSilence.replace(by: [[]: reading.longestSilence / .seconds(1)])
        starts.replace(by: [[]: Double(reading.newestWorker)])
        coordinators.replace(by: [[]: Double(reading.coordinators)])
        leaders.replace(by: [[]: reading.isLed ? 1 : 0])
        terms.replace(by: [[]: Double(reading.term)])
        clockSteps.replace(by: [[]: Double(reading.clockSteps)])
        clockRate.replace(by: [[]: reading.clockRate])
    }

    /// Old numbers would mislead.
    func showNothing() {
        for gauge in [
            jobs, oldestDue, states, faults, pace, rate, limits, tokens, windowCalls, windowLimits, monthCost, spread,
            laneWorkers,
            workers, longestSilence, coordinators, leaders, clockRate,
        ] { gauge.replace(by: [:]) }
        for total in counts.map(\.total) + [starts, terms, clockSteps] { total.replace(by: [:]) }
    }

    private func limitValues(
        _ lane: ClusterReading.Lane, _ value: (LimitState) -> Double
    ) -> [([String], Double)] {
        lane.state.limits.map { ([lane.state.lane, $0.limit.label], value($0)) }
    }

    private func each(
        _ lanes: [ClusterReading.Lane], _ value: (ClusterReading.Lane) -> Double
    ) -> [[String]: Double] {
        all(lanes) { [([$0.state.lane], value($0))] }
    }

    private func all(
        _ lanes: [ClusterReading.Lane], _ values: (ClusterReading.Lane) -> [([String], Double)]
    ) -> [[String]: Double] {
        Dictionary(lanes.flatMap(values), uniquingKeysWith: { first, _ in first })
    }
}

extension RateLimit {
    /// The time of the limit, as Prometheus writes it.
    fileprivate var label: String {
        let seconds = per / .seconds(1)
        return Int(exactly: seconds).map { "\($0)s" } ?? "\(seconds)s"
    }
}
