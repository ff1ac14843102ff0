import Postgres
import Processes

/// Findings from the queue's own tables.
extension Doctor {
    func leader(on database: isolated Connection) throws -> Finding {
        let row = try database.query(
            """
            SELECT name, host, until > now() AS leads, extract(epoch FROM now()) - extract(epoch FROM seen_at) AS silence
            FROM leadership
            LEFT JOIN coordinators ON coordinators.id = coordinator
            """
        ).first
        guard let row, try row.read("leads"), let name = try row.readIfPresent("name", as: String.self) else {
            return .problem("leader", "no coordinator leads: nothing is queued, rescued or cleaned up", .noLeader)
        }
        let silence: Duration = try row.read("silence")
        guard silence <= registry.silenceLimit else {
            return .problem(
                "leader", "\(name) on \(try row.read("host", as: String.self)) leads, and is silent", .noLeader)
        }
        return .ok("leader", "\(name) leads")
    }

    /// Reports a step of the clock for a day, and a slew while it lasts.
    func clockSteps(on database: isolated Connection) throws -> [Finding] {
        let rate = try queue.clockReading(on: database).rate
        let slew: [Finding] =
            rate > ClockDrift.share
            ? [
                .ok(
                    "clock rate",
                    "PostgreSQL's clock gains \(Readable.duration(.seconds(rate))) in each second, because it is slewed; "
                        + "the limits count by the workers' clocks")
            ] : []
        let steps = try queue.clockSteps(last: .seconds(86_400), on: database)
        guard let last = steps.last else { return slew }
        return slew + [
            .warning(
                "clock steps",
                "PostgreSQL's clock was set \(last.size < .zero ? "back" : "forwards") by "
                    + "\(Readable.duration(max(last.size, .zero - last.size))), \(Readable.duration(last.age)) ago"
                    + (steps.count > 1 ? ", and \(steps.count - 1) more times today" : "")
                    + "; limits, waits and leases were moved with it",
                "let NTP slew the clock of the database's host, and of its stand-bys, by at most 500 ppm (chrony: "
                    + "maxslewrate 500), without setting it")
        ]
    }

    /// Reports a copy of the cluster's database.
    func copy(on database: isolated Connection) throws -> [Finding] {
        guard try database.query("SELECT is_copy() AS is_copy")[0].read("is_copy") else { return [] }
        return [
            .problem(
                "copy",
                "this database is a copy of the one for which the cluster was set up: lanes with limits and sinks rest, "
                    + "because the original may work on",
                "if the original has ended, run 'waypost migrate --restored'; otherwise first give this cluster keys, limits "
                    + "and sinks of its own")
        ]
    }

    func silence(of workers: [WorkerState]) -> Finding {
        let silent = workers.filter { $0.silence > registry.silenceLimit }
        guard let first = silent.first else {
            return .ok("workers", workers.isEmpty ? "none is running" : "none of \(workers.count) is silent")
        }
        return .problem(
            "workers",
            "\(first.name) on \(first.host)" + (silent.count > 1 ? " and \(silent.count - 1) others" : "")
                + " fell silent, and no coordinator has freed the jobs",
            "check that host; the leading coordinator frees the jobs of silent workers")
    }

    func service(of lane: LaneState) -> Finding {
        let check = "lane \(lane.lane)"
        if lane.workers > 0 || lane.ready + lane.later == 0 {
            let wait = lane.ready > 0 ? lane.nextCallText.map { "; \($0)" } ?? "" : ""
            let text = "jobs that wait: \(lane.ready + lane.later), workers that serve it: \(lane.workers)\(wait)"
            guard lane.limits.contains(where: \.owesTooMuch) else { return .ok(check, text) }
            return .warning(check, text, "its limits owe more than they can have promised: set the same limits again")
        }
        return .problem(
            check, "jobs that wait: \(lane.ready + lane.later), and no worker takes any", .noWorker)
    }

    func closure(of lane: LaneState) -> Finding? {
        let check = "lane \(lane.lane)"
        return switch lane.condition {
        case .open: nil
        case .paused: .warning(check, "a person paused it", .pausedLane(lane.lane))
        // The check "copy" has this cause.
        case .stopped(_, LaneCondition.copied): nil
        case .stopped(_, let because): .problem(check, "it has stopped: \(because)", .stoppedLane(lane.lane))
        case .blocked(_, let because): .warning(check, "it is blocked for now: \(because)", .blockedLane(lane.lane))
        case .probing: .warning(check, "single calls test whether its provider works again", .blockedLane(lane.lane))
        }
    }

    func punctuality(of lane: LaneState) -> Finding? {
        guard lane.slippedRecently > 0 else { return nil }
        return .warning(
            "lane \(lane.lane)",
            "calls of \(RecentFailures.words) that left after their slots had ended: \(lane.slippedRecently)",
            .lateCalls(lane: lane.lane))
    }

    func partitions(on database: isolated Connection) throws -> [Finding] {
        let remedy = "a coordinator that leads makes them; see 'leader'"
        let row = try database.query(
            """
            SELECT to_regclass('calls_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')) IS NULL AS lacks_today,
                   to_regclass('calls_' || to_char((now() + interval '1 day') AT TIME ZONE 'UTC', 'YYYYMMDD'))
                       IS NULL AS lacks_tomorrow,
                   (SELECT count(*) FROM (SELECT FROM calls_default LIMIT 1000000) AS found) AS misplaced
            """)[0]
        let misplaced: Int = try row.read("misplaced")
        let days = [
            try row.read("lacks_today") ? "today" : nil, try row.read("lacks_tomorrow") ? "tomorrow" : nil,
        ].compactMap(\.self)
        let missing: Finding =
            days.isEmpty
            ? .ok("call log", "today and tomorrow have their partitions")
            : .warning("call log", "there is no partition for \(days.joined(separator: " and "))", remedy)
        guard misplaced > 0 else { return [missing] }
        return [
            missing,
            .warning("call log", "calls_default holds what no day has a place for: \(misplaced) calls", remedy),
        ]
    }
}
