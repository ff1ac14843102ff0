import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Queue
import Testing

@testable import API

/// An administrator's acts over the API, at the socket, with their effect in the database and in the log.
@Suite(.database)
struct SteeringTests {
    /// A row of the database as one text.
    private func row(_ sql: SQL) async throws -> String {
        try await Database.test.query(sql).first?.readIfPresent("text") ?? "-"
    }

    /// All acts so far, oldest first: `lanes.pause gazetteer everything`.
    private func acts() async throws -> [String] {
        try await Database.test.run { db in
            try AuditLog().acts(limit: 100, on: db).reversed().map { "\($0.verb) \($0.target) \($0.author.name)" }
        }
    }

    @Test func `pausing and resuming a lane is logged with the token's name and the reason`() async throws {
        try await APIClient.serving { client in
            try await client.send(.post, "/v1/lanes/gazetteer/pause", #"{"reason":"it moves"}"#).expect(
                200, has: ["state": "paused"])
            #expect(try await row("SELECT (paused_at IS NOT NULL)::text AS text FROM lanes WHERE id = 1") == "true")
            // The lane was already paused, so this is not an act.
            #expect(try await client.send(.post, "/v1/lanes/gazetteer/pause").status == 200)
            try await client.send(.post, "/v1/lanes/gazetteer/resume").expect(has: ["state": "open"])
            #expect(try await row("SELECT (paused_at IS NULL)::text AS text FROM lanes WHERE id = 1") == "true")
            #expect(try await acts() == ["lanes.pause gazetteer everything", "lanes.resume gazetteer everything"])

            try await client.get("/v1/log?verb=lanes.pause").expect(has: [
                "data.0.after.reason": "it moves", "data.0.who.name": "everything", "data.0.who.account": "default",
                "data.0.who.host": .null, "data.1": nil,
            ])
            #expect(try await client.send(.post, "/v1/lanes/nowhere/pause").status == 404)
            #expect(try await client.send(.post, "/v1/lanes/nowhere/resume").status == 404)
        }
    }

    @Test func `limits are replaced, and an invalid limit changes nothing`() async throws {
        try await APIClient.serving { client in
            let path = "/v1/lanes/gazetteer/limits"
            let limited = try await client.send(
                .put, path, #"{"limits":[{"calls":20,"per_seconds":1},{"calls":300,"per_seconds":60,"burst":12}]}"#
            ).expect(200, has: ["limits.1.burst": 12])
            let stored: SQL = """
                SELECT string_agg(concat_ws('/', refill, per, capacity), ' ' ORDER BY per) AS text FROM token_buckets
                """
            #expect(try await row(stored) == "20/00:00:01/2 300/00:01:00/12")
            // The JSON that was read may be written back.
            let limits = try #require(try limited.at("limits")?.list)
            let text = limits.map { limit in
                "{" + (limit.object ?? [:]).map { "\"\($0)\":\($1.number ?? 0)" }.joined(separator: ",") + "}"
            }.joined(separator: ",")
            #expect(try await client.send(.put, path, "{\"limits\":[\(text)]}").status == 200)
            try await client.refuse(
                .put, path, with: 422,
                [
                    "{}", #"{"limits":1}"#, #"{"limits":[{"calls":0,"per_seconds":1}]}"#,
                    #"{"limits":[{"calls":-1,"per_seconds":1}]}"#, #"{"limits":[{"calls":"1","per_seconds":1}]}"#,
                    #"{"limits":[{"calls":1,"per_seconds":0.5}]}"#, #"{"limits":[{"calls":1,"per_seconds":0}]}"#,
                    #"{"limits":[{"calls":1,"per_seconds":1,"burst":0.5}]}"#, #"{"limits":["20/s"]}"#,
                    #"{"limits":[{"calls":1,"per_seconds":1},{"calls":2,"per_seconds":1}]}"#,
                ])
            #expect(try await row(stored) == "20/00:00:01/2 300/00:01:00/12")
            #expect(try await client.send(.put, path, #"{"limits":[]}"#).at("limits", "0") == nil)
            #expect(try await row(stored) == "-")
            let log = try await client.get("/v1/log?target=gazetteer&limit=1").expect(has: [
                "data.0.before.limits": "20/s, 300/min", "data.0.after.limits": "none",
            ])
            #expect(try log.at("next_before") == log.at("data", "0", "id"))
            let number = try #require(try log.at("next_before")?.number)
            let rest = try await client.get("/v1/log?before=\(Int(number))")
            #expect(try rest.at("data")?.list?.count == 2)
            #expect(try rest.at("next_before") == .null)
        }
    }

    @Test func `settings are changed one by one, and null removes a limit`() async throws {
        try await APIClient.serving { client in
            let path = "/v1/lanes/gazetteer"
            let before = try await client.get(path).at("settings")
            let changed = try await client.send(
                .patch, path, #"{"calls_at_once":4,"grace_seconds":0.25,"price":{"per_1000_calls":5,"currency":"EUR"}}"#
            ).expect(200, has: ["settings.calls_at_once": 4, "settings.grace_seconds": 0.25])
            #expect(try changed.at("settings", "batch") == before?.object?["batch"])
            try await client.send(.patch, path, #"{"calls_at_once":null,"price":null}"#).expect(has: [
                "settings.calls_at_once": .null, "settings.price": .null, "settings.grace_seconds": 0.25,
            ])
            try await client.refuse(
                .patch, path, with: 422,
                [
                    "{}", #"{"batch":0}"#, #"{"batch":1.5}"#, #"{"bach":5}"#, #"{"grace_seconds":2}"#,
                    #"{"price":{"per_1000_calls":5,"currency":"euro"}}"#, #"{"price":5}"#, #"{"calls_at_once":"4"}"#,
                    #"{"first_retry_seconds":3600,"longest_retry_seconds":1}"#,
                ])
            #expect(try await client.send(.patch, "/v1/lanes/nowhere", #"{"batch":1}"#).status == 404)
            let log = try await client.get("/v1/log?verb=lanes&limit=1").expect(has: [
                "data.0.before.price": "5 EUR", "data.0.after.price": "none", "data.0.after.grace": nil,
            ])
            #expect(try log.at("data", "0", "after")?.object?.count == 2)
        }
    }

    @Test(arguments: LaneSetting.all.indices)
    func `a setting is accepted within its bounds, and refused outside of them`(index: Int) async throws {
        let setting = LaneSetting.all[index]
        let edges: (good: [String], bad: [String]) =
            switch setting.values {
            case .count(let range, let canBeNone):
                (
                    ["\(range.upperBound)", "\(range.lowerBound)"] + (canBeNone ? ["null"] : []),
                    ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
                )
            case .time(let range):
                (
                    ["\(range.upperBound / .seconds(1))", "\(range.lowerBound / .seconds(1))"],
                    ["\(range.lowerBound / .seconds(1) - 0.0001)", "\(range.upperBound / .seconds(1) + 0.1)"]
                )
            case .price(let most):
                (
                    [Self.price(most), Self.price(0), "null"], [Self.price(-1), Self.price(most + 1)]
                )
            }
        try await APIClient.serving { client in
            func change(to value: String) async throws -> Int {
                // The longest retry wait is never below the first.
                let other =
                    switch setting.column {
                    case "first_retry": #","longest_retry_seconds":31622400"#
                    case "longest_retry": #","first_retry_seconds":0.001"#
                    default: ""
                    }
                return try await client.send(
                    .patch, "/v1/lanes/gazetteer", #"{"\#(setting.member)":\#(value)\#(other)}"#
                ).status
            }
            for value in edges.good {
                let status = try await change(to: value)
                #expect(status == 200, "\(setting.member) \(value)")
            }
            for value in edges.bad {
                let status = try await change(to: value)
                #expect(status == 422, "\(setting.member) \(value)")
            }
        }
    }

    private static func price(_ amount: Double) -> String { #"{"per_1000_calls":\#(amount),"currency":"EUR"}"# }

    @Test func `a lane is created once`() async throws {
        try await APIClient.serving { client in
            let made = try await client.send(.post, "/v1/lanes", #"{"name":"spare","batch":7}"#).expect(201)
            #expect(made.headers["Location"] == "/v1/lanes/spare")
            #expect(try made.at("batch") == .number(7))
            #expect(try await client.send(.post, "/v1/lanes", #"{"name":"spare"}"#).status == 409)
            try await client.refuse(
                .post, "/v1/lanes", with: 422,
                ["{}", #"{"name":"Spare"}"#, #"{"name":"a b"}"#, #"{"name":"x","batch":0}"#])
            #expect(try await acts() == ["lanes.add spare everything"])
        }
    }

    @Test func `a repeated request with an idempotency key acts once`() async throws {
        try await APIClient.serving { client in
            for _ in 1...2 {
                try await client.send(.post, "/v1/lanes", #"{"name":"spare"}"#, headers: ["Idempotency-Key": "k"])
                    .expect(201)
            }
            #expect(try await acts() == ["lanes.add spare everything"])
        }
    }

    @Test func `a failed act is not logged`() async throws {
        try await APIClient.serving { client in
            try await Database.test.run(script: "REVOKE INSERT ON audit_log FROM waypost_admin")
            #expect(try await client.send(.post, "/v1/lanes/gazetteer/pause").status == 500)
            #expect(try await row("SELECT (paused_at IS NULL)::text AS text FROM lanes WHERE id = 1") == "true")
        }
    }

    @Test func `a worker is made quiet by its id, whatever the names of others`() async throws {
        let ids = try await Database.test.run { db in
            try ["ada", "1", "eve"].map {
                try ProcessRegistry().register(.worker, name: $0, host: "h", pid: 1, lanes: ["gazetteer"], on: db)
            }
        }
        try await APIClient.serving { client in
            try await client.send(.post, "/v1/workers/\(ids[0])/quiet").expect(has: ["is_quiet": true])
            let workers = try await client.get("/v1/workers").at("data")?.list
            #expect(workers?.compactMap { $0.object?["is_quiet"] } == [.bool(true), .bool(false), .bool(false)])
            #expect(try await client.send(.post, "/v1/workers/\(ids[0])/resume").at("is_quiet") == .bool(false))
            #expect(try await client.send(.post, "/v1/workers/99/quiet").status == 404)
            #expect(try await client.send(.post, "/v1/workers/ada/quiet").status == 404)
        }
        #expect(try await acts() == ["workers.quiet \(ids[0]) everything", "workers.resume \(ids[0]) everything"])
    }

    @Test func `an audit over HTTP equals that of the command`() async throws {
        try await Database.test.run(
            script: """
                UPDATE lanes SET limits_changed_at = now() - interval '1 day';
                INSERT INTO calls (started_at, took, lane, worker, subjects, outcome)
                SELECT now() - n * interval '1 second', 0.05, 1, 1, 1, 'done' FROM generate_series(1, 5) AS n
                """)
        try await APIClient.serving { client in
            let audit = try await client.get("/v1/lanes/gazetteer/audit?last_seconds=60").expect(
                200, has: ["calls": 5, "outcomes.0.average_seconds": 0.05])
            let steps = try #require(try audit.at("steps")?.list)
            #expect(steps.map { $0.object?["calls"] } == (1...5).map { .number(Double($0)) })
            #expect(steps.allSatisfy { (0...60).contains($0.object?["at"]?.number ?? -1) })
            #expect(try await client.get("/v1/lanes/nowhere/audit").status == 404)
            #expect(try await client.get("/v1/lanes/gazetteer/audit?last_seconds=0").status == 400)
        }
    }

    @Test func `a missing admin role or connection gives 503 with the reason`() async throws {
        try await APIClient.serving { backend in
            backend.admin = nil
        } _: { client in
            try await client.send(.post, "/v1/lanes/gazetteer/pause").expect(503)
        }
        var options = Database.Options(size: 1)
        options.role = "nobody_has_made_it"
        let strange = Database(url: try Database.testURL, options: options)
        try await APIClient.serving { backend in
            backend.admin = strange
        } _: { client in
            let answer = try await client.send(.post, "/v1/lanes/gazetteer/pause").expect(503)
            #expect(answer.text.contains("waypost_admin"))
        }
        await strange.close()
    }

    @Test func `without a token, an act over loopback is logged as such`() async throws {
        var client = try await APIClient.test()
        try await Database.test.query("DELETE FROM tokens")
        client.token = nil
        client.isOverLoopback = true
        client.headers = ["Host": "localhost"]
        #expect(try await client.send(.post, "/v1/lanes/gazetteer/pause").status == 200)
        #expect(try await acts() == ["lanes.pause gazetteer without a token"])
    }
}
