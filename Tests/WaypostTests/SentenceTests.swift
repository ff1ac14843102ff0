import Glibc
import Processes
import Testing

@testable import Queue
@testable import Terminal
@testable import waypost

/// The written lines.
private final class Lines: Sendable {
    private let texts = Locked<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// The sentences of `jobs why`.
struct SentenceTests {
    /// A time of day at which all times of a test are on one day, in any time zone.
    private let now: Duration = {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_isdst) = (
            126, 10, 20, 10, 2, -1
        )
        return .seconds(mktime(&parts))
    }()

    @Test func `a waiting person sees the lane that delays, and until when`() throws {
        let open = try lane("1/s")
        #expect(LaneWait(open) == nil)
        func wait(_ condition: LaneCondition, workers: Int = 1, ready: Int = 1) throws -> String? {
            LaneWait(try lane("1/s", condition: condition, ready: ready, workers: workers))?.sentence
        }
        #expect(
            try wait(.blocked(until: now + .seconds(60), because: "the provider asked for a pause"))
                == "Waiting: lane nominatim is blocked until 10:03:00; the provider asked for a pause.")
        #expect(
            try wait(.paused(since: now))
                == "Waiting: lane nominatim has been paused since 10:02:00; 'waypost lanes resume nominatim' "
                + "restarts it.")
        #expect(
            try wait(.open, workers: 0)
                == "Waiting: no worker serves lane nominatim; start one with 'waypost worker', with the settings of that "
                + "provider.")
        #expect(
            try wait(.open, ready: 3_000)?.hasPrefix("Waiting: lane nominatim permits 1/s; 3,000 calls in it take ")
                == true)
        #expect(try wait(.open, ready: 2) == nil)
    }

    @Test func `a lane is reported once, and one without a worker only after a while`() throws {
        let lines = Lines()
        var teller = WaitTeller(on: Screen { lines.add($0) })
        let start = ContinuousClock.now
        let lonely = try #require(LaneWait(try lane(ready: 1, workers: 0)))
        #expect(teller.tell([lonely], at: start).isEmpty)
        #expect(teller.tell([lonely], at: start + .seconds(4)).isEmpty)
        for second in 5...7 {
            #expect(teller.tell([lonely], at: start + .seconds(second)) == ["no worker serves lane nominatim"])
        }
        #expect(lines.all.count == 1)
    }

    @Test func `the waiting line has the reason why calls fail, also while the breaker blocks the lane`() throws {
        let failures = RecentFailures(
            reason: "nominatim answered 200 with an HTML page", at: now - .seconds(3), failed: 12, calls: 40)
        let open = try #require(LaneWait(lane("1/s", ready: 20, failures: failures)))
        #expect(open.kind == .failing)
        #expect(
            open.sentence == "Waiting: calls of lane nominatim fail: nominatim answered 200 with an HTML page; "
                + "12 of 40 calls failed in the last 10 minutes.")
        let because = "5 calls in a row failed; the last: \(failures.reason)"
        let blocked = try lane(
            "1/s", faults: 5, condition: .blocked(until: now + .seconds(60), because: because), ready: 20,
            failures: failures)
        #expect(
            LaneWait(blocked)?.words
                == "lane nominatim is blocked until 10:03:00 (nominatim answered 200 with an HTML page)")
        #expect(
            failures.sentence(asOf: now)
                == "12 of 40 calls failed in the last 10 minutes, the last 3 s ago: nominatim answered 200 with an HTML page"
        )
        // One failure of many calls is ignored.
        let rare = RecentFailures(reason: "a", at: now, failed: 1, calls: 40)
        #expect(try LaneWait(lane("1/s", ready: 20, failures: rare))?.kind == .limits)
    }

    @Test func `a file name is distinguished from an address`() {
        for name in ["nosuch.csv", "Berlin.pdf", "a b.DOCX", "./Berlin", "/tmp/x", "x.tab"] {
            #expect(FileName.isLikely(name), "\(name)")
        }
        for address in [
            "St. Gallen", "Hauptstr.5, Bonn", "12/3 High St.", "Berlin", "1010 Wien .pdf", "Mt.Vernon", ".csv",
        ] {
            #expect(!FileName.isLikely(address), "\(address)")
        }
    }

    private func lane(
        _ limits: String..., pace: Double = 1, faults: Int = 0, condition: LaneCondition = .open, ready: Int = 0,
        workers: Int = 1, failures: RecentFailures? = nil
    ) throws -> LaneState {
        LaneState(
            lane: "nominatim", kind: .geocoding,
            settings: LaneSettings(),
            condition: condition,
            limits: try limits.map { LimitState(try #require(RateLimit(text: $0)), pace: pace, fullIn: 3.2) },
            pace: pace, faults: faults, trips: 0, ready: ready, later: 0, held: 0, dead: 0, slotsToCome: 0,
            limitsChangedAt: now - .seconds(9), lastDueIn: nil,
            oldestWaited: nil, countedAt: now,
            workers: workers,
            calls: 0, subjects: 0, retries: 0, voided: 0, late: 0, slipped: 0, slippedRecently: 0, failures: failures,
            callsToCome: ready, callsLastMinute: 0, recentRate: nil, asOf: now)
    }

    private func sentence(_ why: WhyJobWaits) throws -> String {
        why.advice(job: 12, lane: try lane("1/s", "300/min", faults: 5))
    }

    @Test func `each reason is a sentence with the remedy, where there is one`() throws {
        let holder = JobState.Holder(id: 3, name: "ada", host: "host-1")
        let reasons: [(WhyJobWaits, String)] = [
            (.unknown, "there is no job 12: it has ended, or never existed"),
            (
                .dead(since: now - .seconds(60), reason: "the city is unknown."),
                "Job 12 has been dead since 10:01:00: the city is unknown. 'waypost jobs retry 12' enqueues it again."
            ),
            (
                .held(by: holder, startsAt: now + .milliseconds(1_200)),
                "Job 12 is held by worker ada (host-1); its call may start in 1.2 s."
            ),
            (
                .held(by: .init(id: 3, name: nil, host: nil), startsAt: now - .seconds(3)),
                "Job 12 is held by worker 3, which is gone; its call could start 3 s ago."
            ),
            (
                .paused(since: now - .seconds(86_400)),
                "Job 12 waits because lane nominatim has been paused since 2026-11-19 10:02:00. "
                    + "'waypost lanes resume nominatim' restarts it."
            ),
            (
                .blocked(until: now + .seconds(123), because: "the provider asked for a pause"),
                "Job 12 waits because lane nominatim is blocked until 10:04:03 (in 2 min 3 s): "
                    + "the provider asked for a pause."
            ),
            (
                .scheduled(until: now + .seconds(4), failures: 2, lastReason: "timeout"),
                "Job 12 is scheduled for 10:02:04 (in 4 s), after 2 failures; the last: timeout."
            ),
            (
                .scheduled(until: now + .seconds(4), failures: 0, lastReason: nil),
                "Job 12 is scheduled for 10:02:04 (in 4 s)."
            ),
            (
                .noWorker(quiet: 0),
                "Job 12 is ready, and no worker serves lane nominatim. Start one with 'waypost worker'."
            ),
            (
                .noWorker(quiet: 2),
                "Job 12 is ready, and every worker that serves lane nominatim is quiet. "
                    + "'waypost workers resume' wakes one."
            ),
            (
                .probing(ahead: 1),
                "Job 12 waits behind 1 other: after 5 failed calls in a row, lane nominatim permits one call at a time "
                    + "until one succeeds."
            ),
            (
                .full(callsAtOnce: 4, ahead: 0),
                "Job 12 waits: lane nominatim permits 4 calls at once, and all are under way."
            ),
            (
                .limits(ahead: 0, next: .seconds(3), own: .milliseconds(3_200)),
                "Job 12 goes next in lane nominatim, and the limits permit its call in 3.2 s."
            ),
            (
                .limits(ahead: 41, next: .milliseconds(3_200), own: .seconds(45)),
                "Job 12 waits behind 41 others, and the limits permit the next call in 3.2 s; "
                    + "at 1/s that is about 45 s."
            ),
            (
                .behind(ahead: 0),
                "Job 12 is ready and goes next in lane nominatim; its 1 worker will take it at the next claim."
            ),
            (
                .behind(ahead: 1_234),
                "Job 12 waits behind 1,234 others in lane nominatim, and nothing but its 1 worker limits the speed."
            ),
        ]
        for (why, expected) in reasons {
            #expect(try sentence(why) == expected)
            #expect(!why.sentence(job: 12, lane: try lane("1/s")).contains("'waypost "), "the API has no commands")
        }
    }

    @Test func `a learned pace is shown with the limit`() throws {
        let why = WhyJobWaits.limits(ahead: 9, next: .zero, own: .seconds(20))
        #expect(
            why.sentence(job: 12, lane: try lane("1/s", pace: 0.7))
                == "Job 12 waits behind 9 others, and the limits permit the next call now; "
                + "at 1/s, slowed to 70%, that is about 20 s.")
    }
}
