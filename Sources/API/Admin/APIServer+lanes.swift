import Access
import HTTP
import JSON
import Postgres
import Queue
import Shapes

extension APIServer {
    /// `POST /v1/lanes`
    func addLane(_ request: APIRequest) async throws -> Reply<LaneState> {
        try request.refuseParameters()
        var fields = try await request.fields()
        let name = fields.requiredText("name")
        if !name.isEmpty, !name.isName {
            fields.mistake("name", "has not only small letters, digits, - and _, 60 at most")
        }
        let batch = fields.batch() ?? 1
        try fields.finish()
        return try await steer(request, lane: name, isNew: true) { database in
            try JobQueue().addLane(name, batch: batch, by: request.caller.author, on: database)
        }
    }

    /// `PATCH /v1/lanes/{name}`: missing members stay unchanged.
    func changeLane(_ request: APIRequest) async throws -> Reply<LaneState> {
        try request.refuseParameters()
        let lane = request.lane
        var fields = try await request.fields()
        let changes = fields.laneChanges()
        try fields.finish()
        return try await steer(request, lane: lane) { database in
            try JobQueue().change(lane, by: request.caller.author, on: database) { settings in
                for change in changes { change.apply(to: &settings) }
            }
        }
    }

    /// `PUT /v1/lanes/{name}/limits`: replaces all limits.
    func limitLane(_ request: APIRequest) async throws -> Reply<LaneState> {
        try request.refuseParameters()
        let lane = request.lane
        var fields = try await request.fields()
        let limits = fields.limits()
        try fields.finish()
        return try await steer(request, lane: lane) { database in
            try JobQueue().setLimits(limits, of: lane, by: request.caller.author, on: database)
        }
    }

    /// `POST /v1/lanes/{name}/pause`
    func pauseLane(_ request: APIRequest) async throws -> Reply<LaneState> {
        try request.refuseParameters()
        let lane = request.lane
        var fields = try await request.optionalFields()
        let reason = fields.text("reason")
        try fields.finish()
        return try await steer(request, lane: lane) { database in
            try JobQueue().pause(
                lane, because: reason.isEmpty ? nil : reason, by: request.caller.author, on: database)
        }
    }

    /// `POST /v1/lanes/{name}/resume`
    func resumeLane(_ request: APIRequest) async throws -> Reply<LaneState> {
        try request.refuseParameters()
        let lane = request.lane
        return try await steer(request, lane: lane) { database in
            try JobQueue().resume(lane, by: request.caller.author, on: database)
        }
    }

    /// `GET /v1/lanes/{name}/audit`: compares the log of calls with the limits.
    func auditLane(_ request: APIRequest) async throws -> Reply<LaneAudit> {
        var query = QueryReader(request.http)
        let seconds = query.integer("last_seconds", in: 1...31_622_400) ?? 3_600
        try query.finish()
        let lane = request.lane
        let audit = try await backend.adminDatabase(of: request.caller.account).transaction { database in
            try JobQueue().audit(lane, last: .seconds(seconds), on: database)
        }
        return Reply(audit)
    }

    /// Acts on a lane, and returns its new state.
    private func steer(
        _ request: APIRequest, lane: String, isNew: Bool = false,
        _ body: @Sendable (isolated Connection) throws -> Void
    ) async throws -> Reply<LaneState> {
        try await act(request) { database in
            try body(database)
            let state = try JobQueue().lane(lane, on: database)
            var reply = Reply(state, status: isNew ? 201 : 200)
            if isNew { reply.response.headers["Location"] = "/v1/lanes/\(lane)" }
            return reply
        }
    }
}

extension APIRequest {
    /// The name of the lane in the path.
    fileprivate var lane: String { http.parameters["name"] ?? "" }
}

extension FieldReader {
    /// The settings that the body changes. Null removes a bound or the price, and changes nothing else.
    fileprivate mutating func laneChanges() -> [LaneChange] {
        let changes = LaneSetting.all.compactMap { setting in
            value(of: setting).map { LaneChange(setting, $0) }
        }
        // A misspelt setting would change nothing without a notice.
        let known = LaneSetting.all.map(\.member)
        for name in names.subtracting(known).sorted() where !isMistaken(name) {
            mistake(name, "is not a setting of a lane; the settings are \(known.joined(separator: ", "))")
        }
        if names.isEmpty { mistake("batch", "is missing, and so is every other setting") }
        return changes
    }

    private mutating func value(of setting: LaneSetting) -> LaneSetting.Value? {
        let name = setting.member
        guard let value = value(name) else { return nil }
        switch setting.values {
        case .count(let range, let canBeNone):
            let count = integer(name, in: range)
            return count == nil && !(canBeNone && value == .null) ? nil : .count(count)
        case .time(let range): return seconds(name, in: range).map { .time($0) }
        case .price:
            guard value != .null else { return .price(nil) }
            let amount = value.object?["per_1000_calls"]?.plainNumber
            let price = amount.flatMap { Price(per1000Calls: $0, currency: value.object?["currency"]?.text ?? "") }
            guard let price, setting.permits(.price(price)) else {
                mistake(name, "is neither null nor an amount per_1000_calls with a currency such as EUR")
                return nil
            }
            return .price(price)
        }
    }

    /// The setting `batch` of a new lane.
    fileprivate mutating func batch() -> Int? {
        guard case .count(let batch) = value(of: .batch) else { return nil }
        return batch
    }

    private mutating func seconds(_ name: String, in range: ClosedRange<Duration>) -> Duration? {
        guard let value = value(name), value != .null else { return nil }
        let (least, most) = (range.lowerBound / .seconds(1), range.upperBound / .seconds(1))
        guard case .number(let seconds) = value, (least...most).contains(seconds) else {
            mistake(name, "is not a number from \(least) to \(Int(most))")
            return nil
        }
        return .milliseconds((seconds * 1_000).rounded())
    }

    fileprivate mutating func limits() -> [RateLimit] {
        guard let list = value("limits")?.list, list.count <= 16 else {
            mistake("limits", "is no list of 16 limits at most")
            return []
        }
        let limits = list.compactMap(RateLimit.init(json:))
        if limits.count < list.count {
            mistake(
                "limits",
                "has one without calls above 0, per_seconds of whole seconds from 1 to 31622400, or a burst of 1 or more"
            )
        } else if Set(limits.map(\.per)).count < limits.count {
            mistake("limits", "has two for the same time")
        }
        return limits
    }
}

extension RateLimit {
    fileprivate init?(json: JSONValue) {
        guard let members = json.object, let calls = members["calls"]?.plainNumber, calls <= 1e9,
            let seconds = members["per_seconds"]?.plainNumber.flatMap(Int.init(exactly:)),
            (1...31_622_400).contains(seconds)
        else { return nil }
        var burst: Double?
        if let given = members["burst"], given != .null {
            guard let number = given.plainNumber, (1...1e9).contains(number) else { return nil }
            burst = number
        }
        self.init(calls, per: .seconds(seconds), burst: burst)
    }
}

extension JSONValue {
    /// The number, unless it was written as a text.
    var plainNumber: Double? { if case .number(let number) = self { number } else { nil } }
}
