import Glibc
import Testing

@testable import Queue
@testable import waypost

/// `jobs why` in its own words.
struct SentenceTests {
    /// At this hour, whatever the time zone, both sides of a test are on one day.
    private let now: Duration = {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_isdst) = (
            126, 10, 20, 10, 2, -1
        )
        return .seconds(mktime(&parts))
    }()

    private func lane(_ limits: String..., pace: Double = 1, faults: Int = 0) throws -> LaneState {
        LaneState(
            lane: "nominatim",
            settings: LaneSettings(
                batch: 1, callsAtOnce: nil, callsPerWorker: nil, grace: .zero, callLimit: .seconds(60), mostFailures: 5,
                firstRetry: .seconds(1), longestRetry: .seconds(300), breakerAfter: 5),
            condition: .open,
            limits: try limits.map { LimitState(try #require(RateLimit(text: $0)), pace: pace, fullIn: 3.2) },
            pace: pace, faults: faults, trips: 0, ready: 0, later: 0, held: 0, dead: 0, lastDueIn: nil, workers: 1,
            calls: 0, retries: 0, voided: 0, late: 0, callsLastMinute: 0, recentRate: nil, asOf: now)
    }

    private func sentence(_ why: WhyJobWaits) throws -> String {
        why.sentence(job: 12, lane: try lane("1/s", "300/min", faults: 5))
    }

    @Test func `each reason is a sentence that says what to do, where something can be done`() throws {
        let holder = JobState.Holder(id: 3, name: "ada", host: "host-1")
        let reasons: [(WhyJobWaits, String)] = [
            (.unknown, "there is no job 12: it ended, or never was"),
            (
                .dead(since: now - .seconds(60), reason: "the city is unknown."),
                "Job 12 is dead since 10:01:00: the city is unknown; 'waypost jobs retry 12' queues it again."
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
                "Job 12 waits because lane nominatim is paused since 2026-11-19 10:02:00; "
                    + "'waypost lanes resume nominatim' opens it."
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
                "Job 12 is ready, and no worker serves lane nominatim: start one with 'waypost worker'."
            ),
            (
                .noWorker(quiet: 2),
                "Job 12 is ready, and every worker that serves lane nominatim is quiet: "
                    + "'waypost workers resume' wakes one."
            ),
            (
                .probing(ahead: 1),
                "Job 12 waits behind 1 other: after 5 failed calls in a row, lane nominatim lets one call at a time "
                    + "through until one succeeds."
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
                "Job 12 is ready and goes next in lane nominatim; its 1 worker will take it at the next look."
            ),
            (
                .behind(ahead: 1_234),
                "Job 12 waits behind 1,234 others in lane nominatim, and nothing but its 1 worker limits how fast."
            ),
        ]
        for (why, expected) in reasons { #expect(try sentence(why) == expected) }
    }

    @Test func `a learned rate is said with the limit`() throws {
        let why = WhyJobWaits.limits(ahead: 9, next: .zero, own: .seconds(20))
        #expect(
            why.sentence(job: 12, lane: try lane("1/s", pace: 0.7))
                == "Job 12 waits behind 9 others, and the limits permit the next call now; "
                + "at 1/s, slowed to 70%, that is about 20 s.")
    }
}
