import DatabaseTesting
import Postgres
import Queue
import Testing

/// The effect of finished calls on the lane: its breaker, its pace, its quota.
@Suite(.database)
struct LaneHealthTests {
    @Test func `failures in a row open the breaker, and later failures are not charged`() async throws {
        let database = try Database.test
        let heard = try await heard(database) {
            try await database.run { db throws in
                let held = try Held(Array(1...10), on: db)
                let down = JobOutcome.retry(reason: "down")
                try held.finish(down, down, down, down, on: db)
                #expect(try Health(on: db).faults == 4)
                #expect(try Health(on: db).blockedFor == nil)
                // A successful call resets the count.
                _ = try held.queue.finish(
                    [JobReport(held.jobs[4], .done(), startedAt: .seconds(1))], in: held.lane, by: held.ada, on: db)
                #expect(try Health(on: db).faults == 0)
                for job in held.jobs[5...] {
                    _ = try held.queue.finish([JobReport(job, down)], in: held.lane, by: held.ada, on: db)
                }
                let health = try Health(on: db)
                #expect(health.faults == 5 && health.trips == 1)
                #expect(health.blockedFor.map { $0 > .seconds(4) && $0 <= .seconds(5) } == true)
                #expect(health.because == "5 calls in a row failed; the last: down")
                #expect(try held.claimAgain(on: db).obstacle == .blocked)
                #expect(try value("SELECT max(failures) AS value FROM jobs", on: db) == 1)
            }
        }
        #expect(heard.contains("waypost_lanes gazetteer"))
    }

    @Test func `a lane rests after a single failure, for as long as its setting says`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...3), on: db)
            try held.queue.change(held.lane, on: db) { $0.restAfterFailure = .seconds(2) }
            try held.finish(.retry(reason: "down"), on: db)
            let health = try Health(on: db)
            #expect(health.faults == 1 && health.trips == 0)
            #expect(health.blockedFor.map { $0 > .seconds(1) && $0 <= .seconds(2) } == true)
            #expect(health.because == "it rests after a failed call: down")
            #expect(try held.claimAgain(on: db).obstacle == .blocked)
            try db.query("UPDATE lanes SET blocked_until = clock_timestamp()")
            // After the rest it goes on as before, without a probe.
            #expect(try held.claimAgain(on: db).jobs.map(\.subjects) == [[1]])
        }
    }

    @Test(arguments: [JobOutcome.released, .void])
    func `a call that was not made does not change the lane's health`(_ outcome: JobOutcome) async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...7), on: db)
            let down = JobOutcome.retry(reason: "down")
            try held.finish(down, down, down, down, on: db)
            _ = try held.queue.finish([JobReport(held.jobs[4], outcome)], in: held.lane, by: held.ada, on: db)
            #expect(try Health(on: db).faults == 4)
            // A call that missed its slot doesn't either, even if its report has a start.
            _ = try held.queue.finish(
                [JobReport(held.jobs[6], .void, startedAt: .seconds(1))], in: held.lane, by: held.ada, on: db)
            #expect(try Health(on: db).faults == 4)
            // A job that ended without questions left doesn't either.
            _ = try held.queue.finish([JobReport(held.jobs[5], .done())], in: held.lane, by: held.ada, on: db)
            #expect(try Health(on: db).faults == 4)
        }
    }

    @Test func `any reply of a provider counts as health of the lane`() async throws {
        try await Database.test.run { db throws in
            try db.query("INSERT INTO lanes (name) VALUES ('other')")
            for outcome in [
                JobOutcome.done(), .failed(reason: "no such street"), .snoozed(.seconds(1)),
                .moved([LeftOver(5, lane: "other")]),
            ] {
                try db.query("DELETE FROM jobs")
                let held = try Held(Array(1...5), on: db)
                let down = JobOutcome.retry(reason: "down")
                try held.finish(down, down, down, down, on: db)
                #expect(try Health(on: db).faults == 4)
                _ = try held.queue.finish(
                    [JobReport(held.jobs[4], outcome, startedAt: .seconds(1))], in: held.lane, by: held.ada, on: db)
                #expect(try Health(on: db).faults == 0, "\(outcome)")
            }
        }
    }

    @Test func `an open breaker kills no job and ignores calls that were running when it opened`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...8), on: db)
            try db.query("UPDATE jobs SET failures = 4")
            let down = JobOutcome.retry(reason: "down")
            // Together they open the breaker. Before that, the lane was healthy.
            try held.finish(down, down, down, down, down, on: db)
            #expect(try value("SELECT count(*) AS value FROM dead_jobs", on: db) == 5)
            let before = try Health(on: db)
            for job in held.jobs[5...] {
                _ = try held.queue.finish([JobReport(job, down)], in: held.lane, by: held.ada, on: db)
            }
            #expect(try value("SELECT count(*) AS value FROM dead_jobs", on: db) == 5)
            #expect(try Health(on: db).faults == before.faults)
            #expect(try Health(on: db).trips == 1)
        }
    }

    @Test func `an open breaker permits one call at a time, doubles its pause, and closes on success`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...5), on: db)
            let bob = try held.scene.worker("bob", on: db)
            let down = JobOutcome.retry(reason: "down")
            try held.finish(down, down, down, down, down, on: db)
            // Twice as many failures in a row as opened the breaker, and later one.
            for (pause, calls) in [(10, 10), (20, 10), (40, 10), (80, 1), (160, 1)] {
                try db.query("UPDATE lanes SET blocked_until = now()")
                for _ in 1...calls {
                    #expect(try Health(on: db).blockedFor.map { $0 > .zero } != true)
                    let probe = try held.claimAgain(on: db)
                    #expect(probe.jobs.count == 1)
                    #expect(probe.obstacle == .full)
                    #expect(try held.queue.claim(5, from: held.lane, for: bob, on: db).obstacle == .full)
                    let before: Int = try value("SELECT sum(failures) AS value FROM jobs", on: db)
                    _ = try held.queue.finish([JobReport(probe.jobs[0], down)], in: held.lane, by: held.ada, on: db)
                    #expect(try value("SELECT sum(failures) AS value FROM jobs", on: db) == before)
                }
                let blocked = try #require(try Health(on: db).blockedFor)
                #expect(blocked > .seconds(pause - 1) && blocked <= .seconds(pause))
            }
            try db.query("UPDATE lanes SET blocked_until = now()")
            let probe = try held.claimAgain(on: db).jobs
            #expect(probe.count == 1)
            _ = try held.queue.finish(
                [JobReport(probe[0], .done(), startedAt: .seconds(1))], in: held.lane, by: held.ada, on: db)
            let health = try Health(on: db)
            #expect(health.faults == 0 && health.trips == 0)
            #expect(try held.claimAgain(on: db).jobs.count > 1)
        }
    }

    @Test func `a rate complaint blocks the lane and lowers its pace`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...4), on: db)
            try held.finish(.rate(retryAfter: .seconds(30)), .rate(retryAfter: .seconds(60)), on: db)
            let health = try Health(on: db)
            #expect(health.blockedFor.map { $0 > .seconds(59) && $0 <= .seconds(60) } == true)
            #expect(abs(health.pace - 0.7) < 0.001)
            #expect(try value("SELECT sum(failures) AS value FROM jobs", on: db) == 0)
            // A second complaint of calls made at the same time changes nothing, and a successful call doesn't end the
            // pause.
            let (third, fourth) = (held.jobs[2], held.jobs[3])
            _ = try held.queue.finish(
                [JobReport(third, .rate(retryAfter: .seconds(1)))], in: held.lane, by: held.ada, on: db)
            _ = try held.queue.finish(
                [JobReport(fourth, .done(), startedAt: .seconds(1))], in: held.lane, by: held.ada, on: db)
            #expect(abs(try Health(on: db).pace - 0.7) < 0.001)
            #expect(try Health(on: db).blockedFor.map { $0 > .seconds(58) } == true)
        }
    }

    @Test func `the pace rises with answered calls, step by step, and not while nothing is called`() async throws {
        try await Database.test.run { db throws in
            let held = try Held(Array(1...5), on: db)
            try db.query("UPDATE lanes SET pace = 0.92")
            let calls: [(outcome: JobOutcome, seconds: Int, blockedSeconds: Int, pace: Double)] = [
                (.released, 3_600, -1, 0.92), (.done(), 9, -1, 0.92), (.done(), 11, -1, 0.97), (.done(), 11, 60, 0.97),
                (.done(), 11, -1, 1),
            ]
            for (job, call) in zip(held.jobs, calls) {
                let (changed, blocked) = (Duration.seconds(call.seconds), Duration.seconds(call.blockedSeconds))
                try db.query(
                    """
                    UPDATE lanes
                    SET pace_changed_at = now() - \(changed)::interval, blocked_until = now() + \(blocked)::interval,
                        blocked_because = 'test'
                    """)
                let report = JobReport(job, call.outcome, startedAt: call.outcome.inLog.isCall ? .seconds(1) : nil)
                _ = try held.queue.finish([report], in: held.lane, by: held.ada, on: db)
                let pace = try Health(on: db).pace
                #expect(abs(pace - call.pace) < 0.001)
            }
        }
    }

    @Test func `a slower pace keeps the number of missing tokens`() async throws {
        try await Database.test.run { db throws in
            _ = try Held([], on: db)
            try db.query(
                """
                INSERT INTO token_buckets (lane, per, refill, capacity, full_at)
                SELECT id, '1 second', 10, 500, clock_timestamp() + interval '40 seconds' FROM lanes
                """)
            try db.query("SELECT set_pace(id, 0.5::real) FROM lanes")
            let fullIn: Double = try value(
                "SELECT extract(epoch FROM full_at - clock_timestamp()) AS value FROM token_buckets", on: db)
            #expect(fullIn > 75 && fullIn <= 80)
        }
    }

    @Test func `a used-up quota blocks the lane until it is back, and keeps the pace`() async throws {
        try await Database.test.run { db throws in
            let held = try Held([1], on: db)
            try held.finish(.quota(resetIn: .seconds(3_600)), on: db)
            let health = try Health(on: db)
            #expect(health.blockedFor.map { $0 > .seconds(3_590) } == true)
            #expect(health.pace == 1)
            #expect(health.because == "the provider's quota is used up")
            #expect(try value("SELECT failures AS value FROM jobs", on: db) == 0)
        }
    }
}
