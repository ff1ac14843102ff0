import DatabaseTesting
import Foundation
import Postgres
import Queue
import Testing

@testable import Terminal
@testable import waypost

@Suite(.database)
struct SteerCommandTests: CommandSuite {
    let program = Program()

    /// Enqueues questions 1 to 3 in one job, and 4 and 5 in their own jobs. The job of 4 is dead. Returns the jobs.
    private func queueSome() async throws -> [Int] {
        try await Database.test.transaction { db in
            let queue = JobQueue()
            try db.query(
                """
                INSERT INTO geocodes (hash, street, city, region, postcode, country)
                SELECT sha256(n::text::bytea), '', 'city', '', '', '' FROM generate_series(1, 5) AS n
                """)
            let batch = try queue.enqueue([1, 2, 3], in: "gazetteer", on: db)
            _ = try queue.change("gazetteer", on: db) { $0.batch = 1 }
            let jobs =
                batch + (try queue.enqueue([4], in: "gazetteer", on: db))
                + (try queue.enqueue([5], in: "gazetteer", on: db))
            for job in jobs {
                try db.query("UPDATE geocodes SET job = \(job.id) WHERE id = ANY (\(job.subjects))")
            }
            try db.query(
                """
                WITH gone AS (DELETE FROM jobs WHERE id = \(jobs[1].id) RETURNING *)
                INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason)
                SELECT id, lane, priority, 5, 0, subjects, 'no such place' FROM gone
                """)
            try db.query("UPDATE geocodes SET status = 'failed', reason = 'no such place', job = NULL WHERE id = 4")
            return jobs.map(\.id)
        }
    }

    /// The status and job of each question: `waiting 1`, `failed -`.
    private func questions() async throws -> [String] {
        try await Database.test.query(
            "SELECT concat_ws(' ', status, coalesce(job::text, '-')) AS text FROM geocodes ORDER BY id"
        ).map { try $0.read("text") }
    }

    @Test func `a change prints its database, and each page of a list how to get the next`() async throws {
        let jobs = try await queueSome()
        let first = try await waypost("jobs list --limit 1")
        #expect(first.error.hasPrefix("There are more: --after "), "\(first.error)")
        let place = try #require(first.error.split(separator: " ").drop { $0 != "--after" }.dropFirst().first)
        let rest = try #require(try await json("jobs list --after", String(place)) as? [[String: Any]])
        #expect(rest.count == 2 && !rest.contains { $0["id"] as? Int == jobs[0] })
        let pause = try await waypost("lanes pause gazetteer")
        #expect(pause.error.hasPrefix("Database: waypost_test_"), "\(pause.error)")
        _ = try await waypost("lanes resume gazetteer")
        let latest = try await waypost("log --limit 1")
        let id = try #require(latest.error.split(separator: " ").drop { $0 != "--before" }.dropFirst().first)
        let earlier = try #require(try await json("log --before", String(id)) as? [[String: Any]])
        #expect(earlier.map { $0["verb"] as? String } == ["lanes.pause"])
    }

    @Test func `the log shows the act, the user and the machine`() async throws {
        try await waypost("log").expect(prints: "No act is kept.\n")
        _ = try await waypost("lanes limit gazetteer 20/s")
        _ = try await waypost("lanes pause gazetteer --reason", "it moves")
        _ = try await waypost("lanes pause gazetteer")
        _ = try await waypost("chains set default --located 0.8")
        let token = try await waypost("tokens create pages --account ada --scope admin")
        let lines = try await waypost("log").output.split(separator: "\n").dropFirst()
        #expect(lines.count == 4, "\(lines)")
        let user = try #require(ProcessInfo.processInfo.environment["USER"] ?? NSUserName() as String?)
        for (line, text) in zip(lines, ["lanes.limit", "it moves", "located 0.75 → 0.8", "scopes admin"]) {
            #expect(line.contains(text), "\(line)")
            #expect(line.contains("\(user) on "), "\(line)")
        }
        #expect(!lines.joined().contains(token.output.dropLast()), "no secret")
        let found = try #require(
            try await json("log --verb lanes --target gazetteer --who", user, "--since", "1h", "--limit", "1")
                as? [[String: Any]])
        #expect(found.map { $0["verb"] as? String } == ["lanes.pause"])
        #expect((found[0]["after"] as? [String: String]) == ["reason": "it moves"])
        try await waypost("log --verb lane").expect(2, error: "lanes.pause")
    }

    @Test func `a missing object is named, and exits with 1`() async throws {
        for (words, reason) in [
            (["lanes", "show", "nowhere"], "no lane called \"nowhere\""),
            (["lanes", "limit", "nowhere", "1/s"], "no lane called \"nowhere\""),
            (["lanes", "set", "gazetteer", "--first-retry", "1h"], "shorter than the first"),
            (["lanes", "add", "gazetteer"], "already"),
            (["lanes", "audit", "nowhere"], "no lane called \"nowhere\""),
            (["jobs", "list", "--lane", "nowhere"], "no lane called \"nowhere\""),
            (["jobs", "cancel", "--lane", "nowhere", "--yes"], "no lane called \"nowhere\""),
            (["jobs", "show", "99"], "there is no job 99: it has ended, or never existed"),
            (["jobs", "why", "99"], "there is no job 99: it has ended, or never existed"),
            (["jobs", "retry", "99"], "there is no job 99"),
            (["jobs", "hurry", "99"], "there is no job 99"),
            (["workers", "quiet", "bob"], "no worker is called \"bob\""),
        ] {
            try await waypost(words).expect(1, prints: "", error: reason)
        }
    }

    @Test func `a lane is created, limited, changed, paused, resumed and shown`() async throws {
        try await waypost("lanes add census --batch 3").expect(0)
        try await waypost("lanes limit census 20/s:burst=5 300/min").expect(
            prints: "census is limited to 20/s:burst=5, 300/min now.\n")
        try await waypost("lanes pause census").expect(prints: "census is paused.\n")
        try await waypost("lanes list").expect(has: "paused since")
        try await waypost("lanes pause census").expect(prints: "census was paused already.\n")
        try await waypost(
            """
            lanes set census --calls-at-once 4 --calls-per-worker none --grace 20ms --call-limit 5s --most-failures 2 \
            --first-retry 2s --longest-retry 9s --breaker-after 3 --rest-after-failure 2s --batch 7 --price
            """, "0.75 eur"
        ).expect(0)
        let lane = try #require(try await json("lanes show census") as? [String: Any])
        #expect(lane["state"] as? String == "paused")
        let settings = try #require(lane["settings"] as? [String: Any])
        for (name, value) in [
            ("batch", 7.0), ("calls_at_once", 4), ("grace_seconds", 0.02), ("call_limit_seconds", 5),
            ("most_failures", 2), ("first_retry_seconds", 2), ("longest_retry_seconds", 9), ("breaker_after", 3),
            ("rest_after_failure_seconds", 2),
        ] {
            #expect(settings[name] as? Double == value, "\(name)")
        }
        #expect((settings["price"] as? [String: Any])?["per_1000_calls"] as? Double == 0.75)
        #expect((lane["limits"] as? [[String: Any]])?.map { $0["limit"] as? String } == ["20/s:burst=5", "300/min"])
        try await waypost("lanes resume census").expect(prints: "census is open.\n")
        try await waypost("lanes resume census").expect(prints: "census was open already.\n")
        let shown = try await waypost("lanes show census").output
        for text in ["20/s", "300/min", "7", "20 ms", "4, any number by one worker", "0.75 EUR for 1,000 calls"] {
            #expect(shown.contains(text), "\(shown)")
        }
        let unpriced = try await waypost("lanes set census --price none").output
        #expect(!unpriced.contains("EUR"), "\(unpriced)")
        try await waypost("lanes limit census --none").expect(prints: "census has no limits now.\n")
        #expect((try await json("lanes list") as? [[String: Any]])?.count == 2)
    }

    @Test(arguments: LaneSetting.all.indices)
    func `an option takes the values within its setting's bounds, and no others`(index: Int) throws {
        let setting = LaneSetting.all[index]
        let edges: (good: [String], bad: [String]) =
            switch setting.values {
            case .count(let range, let canBeNone):
                (
                    ["\(range.lowerBound)", "\(range.upperBound)"] + (canBeNone ? ["none"] : []),
                    ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"] + (canBeNone ? [] : ["none"])
                )
            case .time(let range):
                (
                    [range.lowerBound.word, range.upperBound.word],
                    [
                        (range.lowerBound - .nanoseconds(1_000)).word,
                        (range.upperBound + .milliseconds(1)).word, "none",
                    ]
                )
            case .price(let most): (["0 EUR", "\(Int(most)) EUR", "none"], ["-1 EUR", "\(Int(most) + 1) EUR", "5"])
            }
        let option = "--" + setting.column.replacing("_", with: "-")
        func changes(_ words: [String]) throws -> [LaneChange] {
            let input = LaneVerbs.NewSettings()
            try Parser.fill(Parameter.declared(in: input), from: words)
            return input.changes
        }
        for word in edges.good {
            let changes = try changes(["gazetteer", "\(option)=\(word)"])
            #expect(changes.map(\.setting.column) == [setting.column], "\(word)")
            #expect(changes.allSatisfy { setting.permits($0.value) }, "\(word)")
        }
        for word in edges.bad {
            #expect(throws: UsageError.self, "\(word)") {
                try changes(["gazetteer", "\(option)=\(word)"])
            }
        }
    }

    @Test func `an audit exits with 1 when a limit was exceeded`() async throws {
        try await waypost("lanes audit gazetteer").expect(has: "no call was made")
        _ = try await waypost("lanes limit gazetteer 2/s:burst=1")
        try await Database.test.run { db in
            // The limit was set some time ago.
            try db.query("UPDATE lanes SET limits_changed_at = now() - interval '1 hour'")
            try db.query(
                """
                INSERT INTO calls
                SELECT now() - interval '1 minute' + n * interval '500 milliseconds', 0.1, 1, 1, 1, 'done'
                FROM generate_series(1, 20) AS n
                """)
        }
        try await waypost("lanes audit gazetteer").expect(
            0, has: "kept in every window. Most calls in any 1 s: 3 of 3 permitted; 100%")
        try await Database.test.run { db in
            try db.query("INSERT INTO calls VALUES (now() - interval '50 seconds', 0.1, 1, 1, 1, 'rate')")
            try db.query("INSERT INTO calls VALUES (now() - interval '50 seconds', 0.1, 1, 1, 1, 'rate')")
        }
        try await waypost("lanes audit gazetteer").expect(1, has: "exceeded by", "rate")
        let recent = try #require(try await json("lanes audit gazetteer --since 1s") as? [String: Any])
        #expect(recent["calls"] as? Int == 0)
    }

    @Test func `a retried dead job has its questions again`() async throws {
        let jobs = try await queueSome()
        #expect(try await questions()[3] == "failed -")
        try await waypost("jobs why \(jobs[1])").expect(has: "no such place. 'waypost jobs retry")
        try await waypost("jobs retry \(jobs[1])").expect(prints: "Job \(jobs[1]) is enqueued again.\n")
        #expect(try await questions()[3] == "waiting \(jobs[1])")
        try await waypost("jobs retry \(jobs[1])").expect(prints: "Job \(jobs[1]) is due now.\n")
    }

    @Test func `a dead job whose question was answered meanwhile is deleted`() async throws {
        let jobs = try await queueSome()
        try await Database.test.query("UPDATE geocodes SET status = 'not_found' WHERE id = 4")
        try await waypost("jobs retry \(jobs[1])").expect(has: "nothing left to ask")
        #expect(try await questions()[3] == "not_found -")
        try await waypost("jobs show \(jobs[1])").expect(1)
    }

    @Test func `a change of many jobs needs a confirmation on a terminal or --yes`() async throws {
        _ = try await queueSome()
        for (words, question) in [
            (["jobs", "retry", "--all"], "Retry 1 dead job and 0 delayed ones?"),
            (["jobs", "cancel", "--lane", "gazetteer"], "Cancel 2 waiting jobs?"),
            (["jobs", "discard", "--reason", "such"], "Discard 1 dead job?"),
        ] {
            try await waypost(words).expect(2, error: "\(question) There is no terminal to confirm it")
        }
        #expect((try await json("jobs list") as? [Any])?.count == 3)
        try await waypost("jobs retry --all --yes").expect(
            prints: "Enqueued 1 dead job again and made 0 delayed ones due now.\n")
        try await waypost("jobs cancel --lane gazetteer --yes").expect(prints: "Cancelled 3 jobs.\n")
        #expect(try await questions() == Array(repeating: "failed -", count: 5))
        try await waypost("jobs cancel --all").expect(prints: "No job matches.\n")
        // Cancelled jobs are kept among the dead ones.
        #expect((try await json("jobs list") as? [Any])?.count == 3)
    }

    @Test func `a job is cancelled or discarded by its id, where its state permits it`() async throws {
        let jobs = try await queueSome()
        try await waypost("jobs cancel \(jobs[1])").expect(error: "it is dead")
        try await waypost("jobs discard \(jobs[2])").expect(error: "only dead jobs can be")
        try await waypost("jobs cancel \(jobs[2])").expect(prints: "Cancelled 1 job.\n")
        try await waypost("jobs discard \(jobs[1])").expect(prints: "Discarded 1 job.\n")
        #expect(try await questions()[3...] == ["failed -", "failed -"])
        try await waypost("jobs list --state ready").expect(has: "gazetteer")
    }

    @Test func `one question of a batch is hurried in its own job`() async throws {
        let jobs = try await queueSome()
        try await waypost("jobs hurry \(jobs[0]) --subject 9").expect(error: "doesn't carry 9")
        let outcome = try await waypost("jobs hurry \(jobs[0]) --subject 2").expect(0)
        let own = try #require(Int(outcome.output.split(separator: " ")[1]))
        #expect(own != jobs[0])
        #expect(try await questions().prefix(3) == ["waiting \(jobs[0])", "waiting \(own)", "waiting \(jobs[0])"])
        try await waypost("jobs hurry \(jobs[2])").expect(prints: "Job \(jobs[2]) goes first now.\n")
        let list = try #require(try await json("jobs list") as? [[String: Any]])
        #expect(list.map { $0["id"] as? Int }.prefix(3) == [own, jobs[2], jobs[0]])
        try await waypost("jobs hurry \(jobs[1])").expect(error: "it is dead")
    }

    @Test func `a job held by a worker can't be changed, and the worker can be made quiet`() async throws {
        let jobs = try await queueSome()
        let ada = try await Database.test.run { db in
            let ada = try ProcessRegistry().register(
                .worker, name: "ada", host: "host-1", pid: 7, lanes: ["gazetteer"], on: db)
            _ = try JobQueue().claim(1, from: "gazetteer", for: ada, on: db)
            return ada
        }
        let held = "\(jobs[0])"
        try await waypost("jobs why", held).expect(has: "is held by worker ada (host-1)")
        for verb in ["cancel", "retry", "hurry"] {
            try await waypost("jobs", verb, held).expect(1, error: "worker ada (host-1) holds it")
        }
        try await waypost("workers quiet ada").expect(prints: "ada (\(ada)) is quiet.\n")
        try await waypost("workers list").expect(has: "quiet")
        try await waypost("jobs why \(jobs[2])").expect(has: "is quiet")
        try await waypost("workers resume \(ada)").expect(prints: "ada (\(ada)) takes jobs again.\n")
        let workers = try #require(try await json("workers list") as? [[String: Any]])
        #expect(workers.map { $0["held"] as? Int } == [1])
    }

    @Test func `stats show when each lane's backlog will be done, if that is known`() async throws {
        _ = try await queueSome()
        func lane() async throws -> [String: Any]? {
            let stats = try await json("stats") as? [String: Any]
            return (stats?["lanes"] as? [[String: Any]])?.first
        }
        #expect(try await lane()?["done_basis"] as? String == "no worker")
        try await Database.test.run { db in
            _ = try ProcessRegistry().register(.worker, name: "ada", host: "here", pid: 7, lanes: ["gazetteer"], on: db)
        }
        #expect(try await lane()?["done_basis"] as? String == "unknown")
        _ = try await waypost("lanes limit gazetteer 1/min")
        let limited = try await lane()
        #expect(limited?["done_basis"] as? String == "limits")
        let seconds = try #require(limited?["done_in_seconds"] as? Double)
        #expect(seconds > 50 && seconds < 61)
        #expect((limited?["limits"] as? [[String: Any]])?.map { $0["limit"] as? String } == ["1/min"])
        try await waypost("stats").expect(has: "1/min")
        _ = try await waypost("lanes pause gazetteer")
        #expect(try await lane()?["done_in_seconds"] is NSNull)
        try await waypost("stats").expect(has: "paused")
    }

    @Test func `the doctor exits with 1 only for a problem, and with --strict for a warning`() async throws {
        try await waypost("doctor").expect(1, has: "problem  leader:")
        try await Database.test.run { db throws in
            let id = try ProcessRegistry().register(.coordinator, name: "eva", host: "here", pid: 7, on: db)
            _ = try Leadership().acquire(for: id, within: .seconds(3_600), on: db)
            try db.query("UPDATE coordinators SET seen_at = now() + interval '1 hour'")
        }
        try await waypost("doctor").expect(0, has: "warning  call log:")
        try await waypost("doctor --strict").expect(1)
        let findings = try #require(try await json("doctor") as? [[String: Any]])
        #expect(findings.first?["check"] as? String == "schema")
        try await Database.test.query("UPDATE schema_functions SET fingerprint = '0' WHERE name = 'slots'")
        try await waypost("doctor").expect(1, has: "(slots); run: waypost migrate")
        let migrated = try await waypost("migrate")
        #expect(migrated.output.hasPrefix("Applied the changed functions: slots."), "\(migrated.output)")
        try await waypost("doctor").expect(0)
        try await Database.test.query("DELETE FROM schema_migrations WHERE number = 1")
        let old = try await waypost("doctor").expect(1)
        #expect(old.output.hasPrefix("problem  schema:"), "\(old.output)")
    }
}
