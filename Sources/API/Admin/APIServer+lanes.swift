import HTTP
import JSON
import Postgres
import Queue

extension APIServer {
    /// `POST /v1/lanes`
    func addLane(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        var fields = try await request.fields()
        let name = fields.requiredText("name")
        if !name.isEmpty, !name.isName {
            fields.mistake("name", "has not only small letters, digits, - and _, 60 at most")
        }
        let batch = fields.integer("batch", in: 1...100_000) ?? 1
        try fields.finish()
        return try await steer(request, lane: name, isNew: true) { database in
            try JobQueue().addLane(name, batch: batch, by: request.caller.author, on: database)
        }
    }

    /// `PATCH /v1/lanes/{name}`: missing members stay unchanged.
    func changeLane(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let lane = request.lane
        var fields = try await request.fields()
        let change = fields.laneChange()
        try fields.finish()
        return try await steer(request, lane: lane) { database in
            _ = try JobQueue().change(lane, by: request.caller.author, on: database) { change.apply(to: &$0) }
        }
    }

    /// `PUT /v1/lanes/{name}/limits`: replaces all limits.
    func limitLane(_ request: APIRequest) async throws -> ServerResponse {
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
    func pauseLane(_ request: APIRequest) async throws -> ServerResponse {
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
    func resumeLane(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let lane = request.lane
        return try await steer(request, lane: lane) { database in
            try JobQueue().resume(lane, by: request.caller.author, on: database)
        }
    }

    /// `GET /v1/lanes/{name}/audit`: compares the log of calls with the limits.
    func auditLane(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        let seconds = query.integer("last_seconds", in: 1...31_622_400) ?? 3_600
        try query.finish()
        let lane = request.lane
        let audit = try await backend.adminDatabase(of: request.caller.account).transaction { database in
            try JobQueue().audit(lane, last: .seconds(seconds), on: database)
        }
        return .json { $0.audit(audit) }
    }

    /// Acts on a lane, and returns its new state.
    private func steer(
        _ request: APIRequest, lane: String, isNew: Bool = false,
        _ body: @Sendable (isolated Connection) throws -> Void
    ) async throws -> ServerResponse {
        try await act(request) { database in
            try body(database)
            let state = try JobQueue().lane(lane, on: database)
            var response = ServerResponse.json(isNew ? 201 : 200) { $0.lane(state) }
            if isNew { response.headers["Location"] = "/v1/lanes/\(lane)" }
            return response
        }
    }
}

extension APIRequest {
    /// The name of the lane in the path.
    fileprivate var lane: String { http.parameters["name"] ?? "" }
}

/// The settings of a lane that a request changes. Nil means unchanged. For a bound or a price, `.some(nil)` removes it.
private struct LaneChange: Sendable {
    var batch, mostFailures, breakerAfter: Int?
    var callsAtOnce, callsPerWorker: Int??
    var grace, callLimit, firstRetry, longestRetry: Duration?
    var price: Price??

    func apply(to settings: inout LaneSettings) {
        settings.batch = batch ?? settings.batch
        settings.mostFailures = mostFailures ?? settings.mostFailures
        settings.breakerAfter = breakerAfter ?? settings.breakerAfter
        if let callsAtOnce { settings.callsAtOnce = callsAtOnce }
        if let callsPerWorker { settings.callsPerWorker = callsPerWorker }
        settings.grace = grace ?? settings.grace
        settings.callLimit = callLimit ?? settings.callLimit
        settings.firstRetry = firstRetry ?? settings.firstRetry
        settings.longestRetry = longestRetry ?? settings.longestRetry
        if let price { settings.price = price }
    }
}

extension FieldReader {
    fileprivate static let settings = [
        "batch", "calls_at_once", "calls_per_worker", "grace_seconds", "call_limit_seconds", "most_failures",
        "first_retry_seconds", "longest_retry_seconds", "breaker_after", "price",
    ]

    fileprivate mutating func laneChange() -> LaneChange {
        let change = LaneChange(
            batch: integer("batch", in: 1...100_000), mostFailures: integer("most_failures", in: 1...1_000),
            breakerAfter: integer("breaker_after", in: 1...1_000), callsAtOnce: bound("calls_at_once"),
            callsPerWorker: bound("calls_per_worker"), grace: seconds("grace_seconds", from: 0, to: 1),
            callLimit: seconds("call_limit_seconds", to: 86_400),
            firstRetry: seconds("first_retry_seconds", to: 31_622_400),
            longestRetry: seconds("longest_retry_seconds", to: 31_622_400), price: price("price"))
        // A misspelt setting would change nothing without a notice.
        for name in names.subtracting(Self.settings).sorted() where !isMistaken(name) {
            mistake(name, "is no setting of a lane; there are \(Self.settings.joined(separator: ", "))")
        }
        if names.isEmpty { mistake("batch", "is missing, and so is every other setting") }
        return change
    }

    /// Null removes the bound.
    private mutating func bound(_ name: String) -> Int?? {
        names.contains(name) ? .some(integer(name, in: 1...1_000_000)) : nil
    }

    private mutating func seconds(_ name: String, from least: Double = 0.001, to most: Double) -> Duration? {
        guard let value = value(name), value != .null else { return nil }
        guard case .number(let seconds) = value, (least...most).contains(seconds) else {
            mistake(name, "is no number from \(least) to \(Int(most))")
            return nil
        }
        return .milliseconds((seconds * 1_000).rounded())
    }

    /// Null removes the price.
    private mutating func price(_ name: String) -> Price?? {
        guard let value = value(name) else { return nil }
        if value == .null { return .some(nil) }
        let (amount, currency) = (value.object?["per_1000_calls"]?.plainNumber, value.object?["currency"]?.text)
        guard let amount, amount <= 1e9, let currency, let price = Price(per1000Calls: amount, currency: currency)
        else {
            mistake(name, "is neither null nor an amount per_1000_calls with a currency such as EUR")
            return nil
        }
        return .some(price)
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
