import Access
import HTTP
import JSON
import Postgres
import Processes
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var laneRoutes: [APIRoute] {
        route(.post, "/v1/lanes", .admin, .act, LaneInput.self) { request, body, db in
            try JobQueue().addLane(body.name, batch: body.batch, by: request.author, on: db)
            var reply = Reply(try JobQueue().lane(body.name, on: db), status: 201)
            reply.response.headers["Location"] = "/v1/lanes/\(body.name)"
            return reply
        }
        .described(
            "addLane", "Creates a lane",
            .ok("The lane, open and without limits.", status: 201, headers: ["Location"]))
        steering(.patch, "", LaneChanges.self) { request, body, db in
            try JobQueue().change(request.name, by: request.author, on: db) { settings in
                for change in body.changes { change.apply(to: &settings) }
            }
        }
        .described(
            "changeLane", "Changes a lane's settings",
            details: "What is left out stays; null takes a bound or the price away.", .ok("The lane."))
        steering(.put, "/limits", LimitsInput.self) { request, body, db in
            try JobQueue().setLimits(body.limits, of: request.name, by: request.author, on: db)
        }
        .described(
            "limitLane", "Replaces a lane's limits", details: "At once, and for the whole cluster.", .ok("The lane."))
        steering(.post, "/pause", PauseInput.self) { request, body, db in
            try JobQueue().pause(request.name, because: body.reason, by: request.author, on: db)
        }
        .described(
            "pauseLane", "Pauses a lane", details: "Calls under way finish; no call starts.", .ok("The lane."))
        steering(.post, "/resume", NoInput.self) { request, _, db in
            try JobQueue().resume(request.name, by: request.author, on: db)
        }
        .described(
            "resumeLane", "Resumes a lane",
            details: "Whether a person paused it, or its provider or its breaker stopped it.", .ok("The lane."))
        APIRoute(.get, "/v1/lanes/{name}/audit", .admin, auditLane)
            .described(
                "getLaneAudit", "Checks a lane's calls against its limits",
                details: "In every window of time. Not past the last change of the limits.", .ok("The audit."))
    }

    private func auditLane(_ request: APIRequest, _ query: AuditQuery) async throws -> Reply<LaneAudit> {
        Reply(
            try await backend.adminDatabase(of: request.account).transaction { db in
                try JobQueue().audit(request.name, last: query.last, on: db)
            })
    }

    /// A route that acts on the lane in its path, and responds with the lane's new state.
    private func steering<Input: RequestInput>(
        _ method: ServerRequest.Method, _ act: String, _: Input.Type,
        _ body: @escaping @Sendable (APIRequest, Input, isolated Connection) throws -> some Any
    ) -> APIRoute {
        route(method, "/v1/lanes/{name}" + act, .admin, .act, Input.self) { request, input, db in
            _ = try body(request, input, db)
            return Reply(try JobQueue().lane(request.name, on: db))
        }
    }
}

struct LaneInput: BodyInput {
    let name: String, batch: Int

    init(_ body: inout RequestReader) {
        let name = body.parsed(
            "name", .text(1...60).matching("^[a-z0-9_-]+$"), example: "spare", isRequired: true,
            refusal: "has not only small letters, digits, - and _, 60 at most"
        ) { $0.isName ? $0 : nil }
        self.name = name ?? ""
        batch = body.integer("batch", in: LaneSetting.batches, example: 1) ?? 1
    }
}

struct PauseInput: BodyInput {
    static let isRequired = false
    let reason: String?

    init(_ body: inout RequestReader) {
        reason = body.text("reason", "For whoever reads the log.", example: "the provider is being moved")?.orNil
    }
}

struct AuditQuery: QueryInput {
    let last: Duration

    init(_ query: inout RequestReader) {
        let seconds = query.integer(
            "last_seconds", in: 1...31_622_400, "How far to look back.", usual: 3600, example: 3600)
        last = .seconds(seconds)
    }
}

struct LimitsInput: BodyInput {
    let limits: [RateLimit]

    init(_ body: inout RequestReader) {
        limits = body.objects(
            "limits", 0...16, "At most one for each length of time. An empty list makes the lane unlimited.",
            isRequired: true
        ) { limit -> RateLimit? in
            let calls = limit.number("calls", in: WrittenRate.permittedCalls, example: 20, isRequired: true)
            let seconds = limit.integer("per_seconds", in: WrittenRate.permittedSeconds, example: 1, isRequired: true)
            let burst = limit.number("burst", in: RateLimit.permittedBursts)
            return RateLimit(calls ?? 1, per: .seconds(seconds ?? 1), burst: burst)
        }.compactMap(\.self)
        if !limits.allSatisfy(\.fillsInTime), body.mistakeCount == 0 {
            body.mistake("limits", "has one that takes more than ten years for its burst")
        }
        if limits.hasTwoForOneTime, body.mistakeCount == 0 {
            body.mistake("limits", "has two for the same time")
        }
    }
}

/// The settings that the body changes. Null removes a bound or the price, and changes nothing else.
struct LaneChanges: BodyInput {
    static let name = "LaneChange"
    // A misspelt setting would change nothing without a notice.
    static let allowsOthers = false
    let changes: [LaneChange]

    init(_ body: inout RequestReader) {
        changes = LaneSetting.all.compactMap { setting in body.value(of: setting).map { LaneChange(setting, $0) } }
        if body.members.isEmpty { body.mistake("batch", "is missing, and so is every other setting") }
    }
}

extension RequestReader {
    fileprivate mutating func value(of setting: LaneSetting) -> LaneSetting.Value? {
        let (name, help, isNull) = (setting.member, setting.help, members[setting.member] == .null)
        switch setting.values {
        case .count(let range, let canBeNone):
            let count = integer(name, in: range, help, example: setting.shown, isNullable: canBeNone)
            return count == nil && !(canBeNone && isNull) ? nil : .count(count)
        case .time(let range):
            let (least, most) = (range.lowerBound / .seconds(1), range.upperBound / .seconds(1))
            return value(
                name, .number(least...most), help, example: setting.shown, isNullable: false,
                refusal: "is not a number from \(least) to \(Int(most))"
            ) { value in
                guard let seconds = value.plainNumber, (least...most).contains(seconds) else { return nil }
                return .time(Duration(clampingSeconds: (seconds * 1_000).rounded() / 1_000))
            }
        case .price(let most):
            let price = value(
                name, .price(upTo: most), help, example: setting.shown,
                refusal: "is neither null nor an amount per_1000_calls with a currency such as EUR"
            ) { value in
                let amount = value.object?["per_1000_calls"]?.plainNumber
                let price = amount.flatMap {
                    Price(per1000Calls: $0, currency: value.object?["currency"]?.text ?? "")
                }
                return setting.permits(.price(price)) ? price : nil
            }
            return price == nil && !isNull ? nil : .price(price)
        }
    }
}

extension Schema {
    fileprivate static func price(upTo most: Double) -> Schema {
        .object {
            Field("per_1000_calls", .number(0...most), example: 5)
            Field("currency", .text.matching("^[A-Z]{3}$"), example: "EUR")
        }
    }
}

extension LaneSetting {
    /// The example in JSON.
    fileprivate var shown: JSONText? {
        switch example {
        case .count(let count): count.map { JSONText(integerLiteral: $0) }
        case .time(let time): JSONText(floatLiteral: time / .seconds(1))
        case .price: Schema.price(upTo: 1).example
        }
    }
}

extension JSONValue {
    /// The number, unless it was written as a text.
    var plainNumber: Double? { if case .number(let number) = self { number } else { nil } }
}
