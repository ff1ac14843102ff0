import Formats
import Foundation
import HTTP
import JSON
import Locations
package import Postgres
import Tracing
import Tracking

extension APIServer {
    /// The most bytes of a body that is one JSON value: a few thousand fixes. A stream in NDJSON has no limit.
    static let longestBatch = 1 << 20

    /// `POST /v1/trackers/{user}/locations`: one fix, a list of them, or a stream with one in a line.
    ///
    /// The same again changes nothing, so it needs no `Idempotency-Key`.
    func takeFixes(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        let user = try request.user()
        var intake = FixIntake(request.caller.account)
        if request.http.isOfLines {
            try await takeLines(of: request.body, user, &intake)
            return intake.answer
        }
        guard request.http.hasContentType("application/json") else {
            throw RequestError(
                status: 415, detail: "The body must be sent as application/json or application/x-ndjson.",
                monicaCode: 37)
        }
        let json = try parsed(await request.body.collect(upTo: Self.longestBatch))
        try await take((json.list ?? [json]).map { ReceivedFix($0) }, of: user, &intake)
        if json.list == nil, let reason = intake.refusals.first?.reason {
            throw RequestError.unusable(reason)
        }
        return intake.answer
    }

    private func takeLines(of body: RequestBody, _ user: String, _ intake: inout FixIntake) async throws {
        var lines = NDJSONLines()
        for try await piece in body {
            lines.feed(piece)
            try await take(lines.fixes(), of: user, &intake)
        }
        lines.end()
        try await take(lines.fixes(), of: user, &intake)
    }

    func parsed(_ body: [UInt8]) throws -> JSONValue {
        do throws(JSONError) { return try JSONValue(parsing: body) } catch {
            throw RequestError.malformed("The body is not JSON: \(error)")
        }
    }

    /// Stores the fixes that can be true, and notes what became of each.
    ///
    /// Throws where the tracker is off or missing: then none of these was stored.
    func take(_ received: [ReceivedFix], of user: String, _ intake: inout FixIntake) async throws {
        let rule = TrackingRule()
        let now = Date().timeIntervalSince1970
        var good: [UserFix] = []
        for one in received {
            intake.count += 1
            switch one.fix {
            case .failure(let unusable): intake.refuse(unusable.reason)
            case .success(let fix):
                if let problem = rule.problem(of: fix, now: now) {
                    intake.refuse(problem.explanation)
                } else {
                    good.append(UserFix(fix, of: user))
                }
            }
        }
        if good.isEmpty { return try await requireTracking(of: user, account: intake.account) }
        // Many requests are written together, and none of their traces is that of all.
        let fates = try await TraceScope.$current.withValue(nil) { [good] in
            try await fixWriters.writer(of: intake.account, in: backend).record(good)
        }
        if fates.contains(.unknown) { throw RequestError.noTracker }
        if fates.contains(.off) { throw RequestError.trackingIsOff }
        for fate in fates { intake.fates[fate, default: 0] += 1 }
    }
}

extension APIServer {
    /// Where no fix can be stored: a client of a tracker that is off hears that first, whatever is wrong with its fixes.
    private func requireTracking(of user: String, account: Int) async throws {
        let state = try await backend.database(of: account).run { database in
            try TrackerStore().tracker(of: user, account: account, on: database)
        }
        guard let state else { throw RequestError.noTracker }
        guard state.isOn else { throw RequestError.trackingIsOff }
    }
}

/// What became of the fixes of one request.
struct FixIntake {
    let account: Int
    var count = 0
    var fates: [FixFate: Int] = [:]
    /// The first hundred, with the place of each among all, from 0 on.
    private(set) var refusals: [(index: Int, reason: String)] = []
    private(set) var refused = 0

    init(_ account: Int) { self.account = account }

    mutating func refuse(_ reason: String) {
        refused += 1
        if refusals.count < 100 { refusals.append((count - 1, reason)) }
    }

    var answer: ServerResponse {
        .json { json in
            json.object { json in
                json.member("taken", fates[.taken, default: 0])
                json.member("repeated", fates[.repeated, default: 0])
                json.member("doubted", fates[.doubted, default: 0])
                json.member("too_fast", fates[.tooFast, default: 0])
                json.member("untracked", fates[.untracked, default: 0])
                json.member("refused", refused)
                json.list("refusals", refusals) { json, refusal in
                    json.object { json in
                        json.member("index", refusal.index)
                        json.member("reason", "The fix \(refusal.reason).")
                    }
                }
            }
        }
    }
}

/// The writers of the accounts whose phones have sent something.
actor FixWriters {
    private var writers: [Int: FixWriter] = [:]

    func writer(of account: Int, in backend: Backend) -> FixWriter {
        if let writer = writers[account] { return writer }
        let writer = FixWriter(database: backend.database(of: account), account: account)
        writers[account] = writer
        return writer
    }
}

extension AccountDatabase: FixDatabase {
    package func record<Value: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> Value
    ) async throws -> Value {
        try await run(body)
    }
}

extension NDJSONLines {
    fileprivate mutating func fixes() -> [ReceivedFix] {
        var fixes: [ReceivedFix] = []
        while let line = next() {
            switch line {
            case .whole(_, let bytes): fixes.append(ReceivedFix(line: bytes))
            case .tooLong: fixes.append(ReceivedFix(unusable: "is in a line longer than \(Self.longest) bytes"))
            }
        }
        return fixes
    }
}

extension RequestError {
    static let trackingIsOff = RequestError(
        status: 409, detail: "Tracking is off for this user; nothing was stored.", monicaCode: 41, reason: .trackingOff)

    static let tooManyFixes = RequestError(
        status: 503, detail: "More fixes come in than can be stored; send these again soon.", monicaCode: 40,
        headers: ["Retry-After": "5"])

    static func unusable(_ reason: String) -> Self {
        RequestError(status: 422, detail: "The fix \(reason).", monicaCode: 32)
    }
}
