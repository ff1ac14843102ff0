import DatabaseTesting
import HTTP
import JSON
import Postgres
import Queue
import Testing

@testable import API

/// Jobs, chains and cached answers over the API, at the socket.
@Suite(.database)
struct JobRouteTests {
    /// Enqueues six questions in six jobs of the lane `gazetteer`. The second job has a failure, and the last one is
    /// dead. Returns the jobs.
    private func queueSome() async throws -> [Int] {
        try await Database.test.transaction { db in
            try db.query(
                """
                INSERT INTO geocodes (hash, street, city, region, postcode, country)
                SELECT sha256(n::text::bytea), '', 'city', '', '', '' FROM generate_series(1, 6) AS n
                """)
            let queue = JobQueue()
            _ = try queue.change("gazetteer", on: db) { $0.batch = 1 }
            let jobs = try queue.enqueue([1, 2, 3, 4, 5, 6], in: "gazetteer", on: db)
                .sorted { $0.subjects[0] < $1.subjects[0] }
            for job in jobs { try db.query("UPDATE geocodes SET job = \(job.id) WHERE id = ANY (\(job.subjects))") }
            try db.query(
                """
                UPDATE jobs SET run_at = now() + interval '1 hour', failures = 2,
                    history = '[{"at": "2026-11-22T15:00:00Z", "worker": 7, "reason": "timeout"}]'
                WHERE id = \(jobs[1].id)
                """)
            try db.query(
                """
                WITH gone AS (DELETE FROM jobs WHERE id = \(jobs[5].id) RETURNING *)
                INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason)
                SELECT id, lane, priority, 5, 0, subjects, 'no such place' FROM gone
                """)
            try db.query("UPDATE geocodes SET status = 'failed', reason = 'no such place', job = NULL WHERE id = 6")
            return jobs.map(\.id)
        }
    }

    private func acts() async throws -> [String] {
        try await Database.test.run { db in
            try AuditLog().acts(limit: 100, on: db).reversed().map { act in
                ([act.verb, act.target] + act.after.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
                    .joined(separator: " ")
            }
        }
    }

    private func statuses() async throws -> [String] {
        try await Database.test.query("SELECT status::text AS text FROM geocodes ORDER BY id").map {
            try $0.read("text")
        }
    }

    @Test func `pages of jobs follow each other in the order of the lane, to the end`() async throws {
        let jobs = try await queueSome()
        let worker = try await Database.test.run { db in
            let registry = ProcessRegistry()
            let worker = try registry.register(.worker, name: "eve", host: "h", pid: 1, lanes: ["gazetteer"], on: db)
            _ = try JobQueue().claim(1, from: "gazetteer", for: worker, on: db)
            try db.query("UPDATE jobs SET priority = 3 WHERE id = \(jobs[3])")
            return worker
        }
        try await APIClient.serving { client in
            let all = try await client.get("/v1/jobs")
            let listed = try #require(try all.at("data")?.list)
            #expect(
                listed.compactMap { $0.object?["state"]?.text } == ["held", "ready", "ready", "ready", "later", "dead"])
            try all.expect(has: [
                "data.0.worker.id": .number(Double(worker)), "data.1.id": .number(Double(jobs[3])),
                "data.4.reason": "timeout",
            ])
            for limit in 1...4 {
                #expect(try await client.items("/v1/jobs?limit=\(limit)") == listed, "pages of \(limit)")
            }
            let dead = try await client.get("/v1/jobs?state=dead&lane=gazetteer")
            #expect(try dead.at("data")?.list?.count == 1)
            #expect(try await client.get("/v1/jobs?lane=nowhere").status == 404)
            for wrong in ["state=x", "after=x", "after=ready.9.1.1.a", "after=ready.1.1.a.a", "limit=0"] {
                #expect(try await client.get("/v1/jobs?\(wrong)").status == 400, "\(wrong)")
            }
        }
    }

    @Test func `finished jobs are listed, the latest first, with the duration of their call`() async throws {
        let jobs = try await queueSome()
        try await Database.test.run { db throws in
            let (queue, registry) = (JobQueue(), ProcessRegistry())
            let worker = try registry.register(.worker, name: "eve", host: "h", pid: 1, lanes: ["gazetteer"], on: db)
            // A claim does not promise the order of its jobs.
            let claimed = try queue.claim(4, from: "gazetteer", for: worker, on: db).jobs.sorted { $0.id < $1.id }
            #expect(claimed.count == 4)
            let began = try db.query("SELECT extract(epoch FROM clock_timestamp()) AS now")[0].read(
                "now", as: Duration.self)
            let outcomes: [JobOutcome] = [.done(), .retry(reason: "timeout"), .moved([LeftOver(4)]), .done()]
            let reports = zip(claimed, outcomes).enumerated().map { place, report in
                JobReport(
                    report.0, report.1, startedAt: began - .seconds(90 * place), took: .milliseconds(250))
            }
            _ = try queue.finish(reports, in: "gazetteer", by: worker, on: db)
        }
        try await APIClient.serving { client in
            let all = try await client.get("/v1/jobs/finished")
            let listed = try #require(try all.at("data")?.list)
            #expect(listed.compactMap { $0.object?["id"]?.number } == [jobs[0], jobs[3], jobs[4]].map { Double($0) })
            #expect(listed.compactMap { $0.object?["outcome"]?.text } == ["done", "moved", "done"])
            try all.expect(has: ["data.0.took_seconds": 0.25, "data.0.worker.name": "eve"])
            #expect(try await client.items("/v1/jobs/finished?limit=1") == listed)
            #expect(try await client.get("/v1/jobs/finished?lane=gazetteer").at("data")?.list == listed)
            #expect(try await client.get("/v1/jobs/finished?lane=nowhere").status == 404)
            for wrong in ["after=x", "after=1.0", "after=1", "limit=0"] {
                #expect(try await client.get("/v1/jobs/finished?\(wrong)").status == 400, "\(wrong)")
            }
        }
    }

    @Test func `several jobs are selected by their ids`() async throws {
        let jobs = try await queueSome()
        try await APIClient.serving { client in
            let some = #""ids":[\#(jobs[1]),\#(jobs[2]),\#(jobs[5])]"#
            try await client.send(.post, "/v1/jobs/cancel", "{\(some),\"dry_run\":true}").expect(has: ["waiting": 2])
            try await client.send(.post, "/v1/jobs/retry", #"{"ids":[\#(jobs[5])]}"#).expect(has: ["revived": 1])
            try await client.send(.post, "/v1/jobs/cancel", "{\(some)}").expect(has: ["cancelled": 3])
            #expect(try await statuses() == ["waiting", "failed", "failed", "waiting", "waiting", "failed"])
            let ids = "\(jobs[1]), \(jobs[2]), \(jobs[5])"
            #expect(try await acts().last == "jobs.cancel  ids=\(ids) jobs=3")
            try await client.refuse(
                .post, "/v1/jobs/cancel", with: 422,
                [
                    #"{"ids":[]}"#, #"{"ids":[1],"all":true}"#, #"{"ids":[1],"lane":"gazetteer"}"#, #"{"ids":["1"]}"#,
                    #"{"ids":1}"#,
                ])
        }
    }

    @Test func `jobs are found by question and by friend`() async throws {
        let jobs = try await queueSome()
        try await APIClient.serving { client in
            func found(_ query: String) async throws -> [Int] {
                let answer = try await client.get("/v1/jobs?" + query).expect(200, has: ["next_after": .null])
                return try answer.at("data")?.list?.compactMap { $0.object?["id"]?.number.map { Int($0) } } ?? []
            }
            #expect(try await found("question=2") == [jobs[1]])
            // The job is dead, and its question has no job.
            #expect(try await found("question=6") == [jobs[5]])
            #expect(try await found("question=6&state=ready").isEmpty)
            #expect(try await found("question=99").isEmpty)

            let address = #"{"name":"Ada","addresses":[{"city":"city"},{"city":"Reno","country":"US"}]}"#
            let friend = try await client.send(.put, "/v1/feeds/crm/friends/ada", address)
            let id = try #require(try friend.at("id")?.number.map { Int($0) })
            try await Database.test.run { db in
                // One of the friend's addresses has the hash of the second question. The other address may or may not
                // have a job.
                try db.query("UPDATE addresses SET hash = sha256('2') WHERE friend = \(id) AND city = 'city'")
            }
            #expect(try await found("friend=\(id)").contains(jobs[1]))
            // A follower waits in the job of the question that it follows.
            try await Database.test.run(
                script: """
                    UPDATE geocodes SET loose_key = 7 WHERE id IN (1, 3);
                    UPDATE geocodes SET follows = true, job = NULL WHERE id = 3;
                    """)
            #expect(try await found("question=3") == [jobs[0]])
            for wrong in ["question=x", "friend=0", "question=1&friend=1", "question=1&after=ready.1.1.1.a"] {
                #expect(try await client.get("/v1/jobs?\(wrong)").status == 400, "\(wrong)")
            }
        }
    }

    @Test func `a job shows why it waits`() async throws {
        let jobs = try await queueSome()
        try await APIClient.serving { client in
            let later = try await client.get("/v1/jobs/\(jobs[1])").expect(has: ["why.word": "scheduled"])
            #expect(try later.at("why", "sentence")?.text?.contains("after 2 failures") == true)
            #expect(try later.at("history", "0", "at") == .text("2026-11-22T15:00:00.000Z"))
            // An older program stored neither the time of sending nor the duration of the call.
            try later.expect(has: ["history.0.started_at": .null, "subjects.0": 2])
            #expect(try await client.get("/v1/jobs/\(jobs[0])").at("why", "word") == .text("no worker"))
            #expect(try await client.get("/v1/jobs/\(jobs[5])").at("why", "word") == .text("dead"))
            #expect(try await client.get("/v1/jobs/99").status == 404)
        }
    }

    @Test func `one job is hurried, retried, cancelled and discarded, or refused with the reason`() async throws {
        let jobs = try await queueSome()
        try await APIClient.serving { client in
            func post(_ path: String, _ body: String? = nil) async throws -> APIClient.Answer {
                try await client.send(.post, "/v1/jobs/\(path)", body)
            }
            #expect(try await post("\(jobs[2])/hurry").at("job") == .number(Double(jobs[2])))
            #expect(try await client.get("/v1/jobs?limit=1").at("data", "0", "id") == .number(Double(jobs[2])))
            #expect(try await post("\(jobs[3])/hurry", #"{"subject":4}"#).status == 200)
            let wrong = try await post("\(jobs[3])/hurry", #"{"subject":99}"#).expect(409)
            #expect(wrong.text.contains("doesn't carry 99"))
            #expect(try await post("\(jobs[1])/retry").at("hastened") == .number(1))
            #expect(try await post("\(jobs[5])/retry").at("revived") == .number(1))
            #expect(try await post("\(jobs[0])/cancel").at("cancelled") == .number(1))
            #expect(try await client.get("/v1/jobs/\(jobs[0])").at("state") == .text("dead"))
            let waits = try await post("\(jobs[2])/discard").expect(409)
            #expect(waits.text.contains("only dead jobs can be"))
            for verb in ["hurry", "retry", "cancel", "discard"] {
                #expect(try await post("999/\(verb)").status == 404, "\(verb)")
            }
            #expect(try await statuses() == ["failed", "waiting", "waiting", "waiting", "waiting", "waiting"])
            #expect(
                try await acts() == [
                    "jobs.hurry \(jobs[2])", "jobs.hurry \(jobs[3]) subject=4", "jobs.retry \(jobs[1])",
                    "jobs.retry \(jobs[5])", "jobs.cancel \(jobs[0])",
                ])
        }
    }

    @Test func `a cancelled job is kept among the dead, and a retry enqueues it again`() async throws {
        let jobs = try await queueSome()
        try await APIClient.serving { client in
            func post(_ path: String) async throws -> APIClient.Answer {
                try await client.send(.post, "/v1/jobs/\(path)")
            }
            #expect(try await post("\(jobs[0])/cancel").at("cancelled") == .number(1))
            try await client.get("/v1/jobs/\(jobs[0])").expect(has: [
                "state": "dead", "reason": "cancelled by a person",
            ])
            #expect(try await statuses().first == "failed")
            #expect(try await post("\(jobs[0])/retry").at("revived") == .number(1))
            #expect(try await client.get("/v1/jobs/\(jobs[0])").at("state") == .text("ready"))
            #expect(try await statuses().first == "waiting")
            // An upload's subjects are trackers. A question with the same id has nothing to do with it.
            try await Database.test.run { db throws in
                try JobQueue().addLane("upload:hook", kind: .upload, on: db)
                _ = try JobQueue().enqueue([1], in: "upload:hook", on: db)
                try db.query("UPDATE geocodes SET status = 'failed', reason = 'no answer', job = NULL WHERE id = 1")
            }
            _ = try await client.send(.post, "/v1/jobs/cancel", #"{"lane":"upload:hook"}"#)
            try await client.send(.post, "/v1/jobs/retry", #"{"lane":"upload:hook"}"#).expect(has: ["revived": 1])
            #expect(try await statuses().first == "failed")
        }
    }

    @Test func `many jobs are counted first, and are one act`() async throws {
        _ = try await queueSome()
        try await APIClient.serving { client in
            func post(_ path: String, _ body: String) async throws -> APIClient.Answer {
                try await client.send(.post, "/v1/jobs/\(path)", body)
            }
            try await post("cancel", #"{"lane":"gazetteer","dry_run":true}"#).expect(has: [
                "waiting": 5, "cancelled": 0,
            ])
            #expect(try await acts() == [])
            try await post("retry", #"{"reason":"TIMEOUT"}"#).expect(has: ["hastened": 1, "revived": 0])
            #expect(try await post("discard", #"{"all":true}"#).at("discarded") == .number(1))
            #expect(try await post("cancel", #"{"lane":"gazetteer"}"#).at("cancelled") == .number(5))
            #expect(try await post("cancel", #"{"all":true}"#).at("cancelled") == .number(0))
            #expect(try await statuses() == Array(repeating: "failed", count: 6))
            #expect(
                try await acts() == [
                    "jobs.retry  jobs=1 reason=TIMEOUT", "jobs.discard  jobs=1", "jobs.cancel  jobs=5 lane=gazetteer",
                ])
            for wrong in [
                "{}", #"{"all":false}"#, #"{"all":true,"lane":"gazetteer"}"#, #"{"lane":"nowhere"}"#, #"{"lane":7}"#,
            ] {
                for verb in ["retry", "cancel", "discard"] {
                    #expect(try await post(verb, wrong).status == 422, "\(verb) \(wrong)")
                }
            }
        }
    }

    @Test func `a chain is created, changed with its ETag, and used by the token's account`() async throws {
        try await APIClient.serving { client in
            let path = "/v1/chains/fresh"
            let body = """
                {"links":[{"lane":"gazetteer","countries":["DE","austria"],"below":0.6,"stop":"rooftop",
                "steps":["structured","free form"]},{"lane":"gazetteer"}],"located":0.8}
                """
            let made = try await client.send(.put, path, body).expect(
                201, has: ["links.0.countries.1": "AT", "review": 0.4])
            let shown = try await client.get(path)
            #expect(shown.bytes == made.bytes)
            // The JSON that was read may be written back.
            let again = try await client.send(
                .put, path, shown.text, headers: ["If-Match": try #require(shown.headers["ETag"])]
            ).expect(200)
            #expect(again.bytes == shown.bytes)
            let other = #"{"links":[{"lane":"gazetteer"}]}"#
            #expect(try await client.send(.put, path, other, headers: ["If-Match": "\"x\""]).status == 412)
            #expect(try await client.send(.put, path, other, headers: ["If-None-Match": "*"]).status == 412)
            try await client.refuse(
                .put, path, with: 422,
                [
                    "{}", #"{"links":[]}"#, #"{"links":[{"lane":"nowhere"}]}"#,
                    #"{"links":[{"lane":"gazetteer","bellow":1}]}"#,
                    #"{"links":[{"lane":"gazetteer","countries":["Atlantis"]}]}"#,
                    #"{"links":[{"lane":"gazetteer","stop":"moon"}]}"#,
                    #"{"links":[{"lane":"gazetteer"}],"review":0.9}"#,
                    #"{"links":[{"lane":"gazetteer"}],"lokated":0.9}"#,
                ])
            #expect(try await client.get(path).bytes == shown.bytes)
            #expect(try await client.send(.post, "\(path)/use").at("account") == .text("default"))
            let chains = try await Database.test.run { db in
                try db.query("SELECT name || ' ' || chain AS text FROM accounts ORDER BY name").map {
                    try $0.read("text", as: String.self)
                }
            }
            #expect(chains == ["default fresh", "other default"])
            #expect(try await client.get("/v1/chains").at("data")?.list?.count == 3)
            #expect(try await client.get("/v1/chains/nowhere").status == 404)
            #expect(try await client.send(.post, "/v1/chains/nowhere/use").status == 404)
            #expect(try await acts().map { $0.prefix { $0 != " " } } == ["chains.set", "chains.use"])
        }
    }

    @Test func `cached answers are counted, expired and purged, except those another account needs`() async throws {
        try await APIClient.serving { client in
            let other = client.with(token: "other")
            let friend = #"{"name":"Bob","addresses":[{"street":"1 Main St","city":"Reno","country":"US"}]}"#
            #expect(try await other.send(.put, "/v1/feeds/crm/friends/b", friend).status == 201)
            try await Database.test.run { db in
                try db.query(
                    """
                    INSERT INTO geocodes (hash, street, city, region, postcode, country)
                    VALUES (sha256('x'), '', 'Nowhere', '', '', '')
                    """)
                try db.locateAll()
            }
            try await client.get("/v1/cache").expect(has: ["data.0.answers": 2])
            func post(_ verb: String, _ body: String) async throws -> APIClient.Answer {
                try await client.send(.post, "/v1/cache/\(verb)", body)
            }
            #expect(try await post("purge", #"{"all":true,"dry_run":true}"#).at("answers") == .number(1))
            #expect(try await post("purge", #"{"provider":"gazetteer"}"#).at("answers") == .number(1))
            let left = try await Database.test.query("SELECT street FROM geocodes")[0].read("street", as: String.self)
            #expect(left == "1 Main St")
            #expect(try await post("expire", #"{"status":"located","dry_run":true}"#).at("answers") == .number(1))
            #expect(try await post("expire", #"{"status":"located"}"#).at("answers") == .number(1))
            #expect(try await post("expire", #"{"older_seconds":3600}"#).at("answers") == .number(0))
            for wrong in ["{}", #"{"status":"waiting"}"#, #"{"status":"lost"}"#, #"{"all":true,"provider":"a"}"#] {
                for verb in ["expire", "purge"] { #expect(try await post(verb, wrong).status == 422, "\(wrong)") }
            }
            #expect(
                try await acts() == [
                    "cache.purge  answers=1 provider=gazetteer", "cache.expire  answers=1 status=located",
                ])
        }
    }

    @Test func `an erasure over the API is logged with the tracker's number alone`() async throws {
        try await APIClient.serving { client in
            try await addSink()
            _ = try await client.send(.post, "/v1/trackers/ada/start")
            #expect(try await client.send(.delete, "/v1/trackers/ada").status == 200)
            #expect(try await acts().last?.hasPrefix("trackers.erase 1 fixes=0") == true)
        }
    }

    @Test func `the doctor's findings are returned with their remedies`() async throws {
        try await APIClient.serving { backend in
            backend.examine = { [.ok("clock", "is right"), .problem("leader", "nobody leads", .noLeader)] }
        } _: { client in
            try await client.get("/v1/doctor").expect(has: [
                "data.0.remedy": .null, "data.1.verdict": "problem", "data.1.cause": "no_leader",
                "data.1.remedy": "read the log of the running coordinator, or start one",
            ])
        }
    }
}
