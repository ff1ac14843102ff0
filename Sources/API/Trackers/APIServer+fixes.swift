import Access
import Formats
import FoundationEssentials
import HTTP
import JSON
import Locations
import Monitoring
package import Postgres
import Shapes
import Tracing
import Wording

extension APIServer {
    /// The most bytes of a body that is one JSON value: a few thousand fixes. A stream in NDJSON has no limit.
    static let longestBatch = 1 << 20

    /// `POST /v1/trackers/{user}/locations`: one fix, a list of fixes, or a stream with one on each line.
    ///
    /// Sending the same again changes nothing, so it needs no `Idempotency-Key`.
    func takeFixes(_ request: APIRequest) async throws -> Reply<FixIntake> {
        let user = try request.user()
        var intake = FixIntake(request.caller.account)
        if request.http.isOfLines {
            try await takeLines(of: request.body, user, &intake)
            return Reply(intake)
        }
        guard request.http.hasContentType("application/json") else {
            throw RequestError(
                status: 415, detail: "The body must be sent as application/json or application/x-ndjson.",
                monicaCode: 37)
        }
        let json = try parsed(await request.body.collect(upTo: Self.longestBatch))
        // The list in the form that GET returns is accepted too.
        let list = json.list ?? json.object?["data"]?.list
        try await take((list ?? [json]).map { ReceivedFix($0) }, of: user, &intake)
        if list == nil, let refusal = intake.refusals.first {
            throw RequestError.unusable(refusal.reason, retryAfter: intake.retryAfter)
        }
        return Reply(intake)
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

    /// Stores the plausible fixes, records the result of each, and counts the refused ones.
    ///
    /// Throws if the tracker is off or missing: then none of them was stored.
    func take(_ received: [ReceivedFix], of user: String, _ intake: inout FixIntake) async throws {
        let now = backend.now()
        var good: [UserFix] = []
        var refused: [RefusedFix] = []
        for one in received {
            intake.count += 1
            do throws(ReceivedFix.Unusable) { good.append(UserFix(try one.checked(now: now), of: user)) } catch {
                intake.refuse(error)
                refused.append((try? one.fix.get()).map { RefusedFix(error.refusal, $0) } ?? RefusedFix(error.refusal))
            }
        }
        let fates =
            good.isEmpty ? [try await standing(of: user, account: intake.account)] : try await record(good, intake)
        for (one, fate) in zip(good, fates) {
            if let refusal = FixRefusal(fate) { refused.append(RefusedFix(refusal, one.fix)) }
        }
        try await count(refused: refused, of: user, account: intake.account)
        if fates.contains(.unknown) { throw RequestError.noTracker }
        if fates.contains(.off) { throw RequestError.trackingIsOff }
        if good.isEmpty { return }
        for fate in fates { intake.fates[fate, default: 0] += 1 }
    }

    private func record(_ fixes: [UserFix], _ intake: FixIntake) async throws -> [FixFate] {
        // Many requests are written together, so none of their traces applies to the write.
        try await TraceScope.$current.withValue(nil) {
            try await fixWriters.writer(of: intake.account, in: backend).record(fixes)
        }
    }
}

extension APIServer {
    /// The fate of a good fix of a user. If the tracker is off, the client gets that error whatever else is wrong with
    /// its fixes.
    private func standing(of user: String, account: Int) async throws -> FixFate {
        let state = try await backend.database(of: account).run { database in
            try TrackerStore().tracker(of: user, account: account, on: database)
        }
        guard let state else { return .unknown }
        return state.isOn ? .taken : .off
    }

    /// Counts refused fixes at the tracker and in the metrics, each once. The first one of a kind is logged.
    func count(refused: [RefusedFix], of user: String, account: Int) async throws {
        guard !refused.isEmpty else { return }
        let (counts, new, tracker) = try await backend.database(of: account).run { database in
            try TrackerStore().count(refused: refused, of: user, account: account, on: database)
        }
        backend.instruments?.note(refused: counts)
        for reason in new {
            backend.log.info(
                "the first fix that is not kept for this reason",
                ["reason": reason.rawValue, "account": "\(account)", "tracker": tracker.map { "\($0)" } ?? "none"])
        }
    }
}

/// The results of the fixes of one request.
struct FixIntake: Shaped {
    struct Refusal: Shaped {
        let index: Int
        let reason: String
        let code: FixRefusal
        let mayRetry: Bool

        static let shape = Shape<Refusal>("RefusedFix", "A fix that was not stored.") {
            Member("index", example: 1) { $0.index }
            Member("reason", example: "The fix is in the future.") { "The fix \($0.reason)." }
            Member("code", "The reason as a word.", example: .inTheFuture) { $0.code }
            Member("may_retry", "The fix is less than a day ahead of the clock. Send it again when its time has come.")
            {
                $0.mayRetry
            }
        }
    }

    let account: Int
    var count = 0
    var fates: [FixFate: Int] = [:]
    /// The first hundred, each with its index among all fixes.
    private(set) var refusals: [Refusal] = []
    private(set) var refused = 0
    /// In how many seconds the fixes that can be retried will all be accepted; nil if there are none.
    private(set) var retryAfter: Double?

    init(_ account: Int) { self.account = account }

    mutating func refuse(_ unusable: ReceivedFix.Unusable) {
        refused += 1
        if let seconds = unusable.secondsUntilGood { retryAfter = max(retryAfter ?? 0, seconds) }
        if refusals.count < 100 {
            refusals.append(
                Refusal(
                    index: count - 1, reason: unusable.reason, code: unusable.refusal,
                    mayRetry: unusable.secondsUntilGood != nil))
        }
    }

    static let shape = Shape<FixIntake>("FixSummary", "The results of the fixes of one request.") {
        Member("taken", "Stored as part of a location.", example: 1) { $0.fates[.taken, default: 0] }
        Member("repeated", "Stored before.", example: 0) { $0.fates[.repeated, default: 0] }
        Member("doubted", "Stored, but too far from the fix before for the time between them.", example: 0) {
            $0.fates[.doubted, default: 0]
        }
        Member("too_fast", "Like doubted, but not stored.", example: 0) { $0.fates[.tooFast, default: 0] }
        Member("untracked", "Not stored, because tracking was off then.", example: 0) {
            $0.fates[.untracked, default: 0]
        }
        Member("refused", "Not stored, because they can't be true or can't be read.", example: 0) { $0.refused }
        Member("refusals", "The first hundred.", example: []) { $0.refusals }
    }
}

/// The writers of the accounts whose phones have sent fixes.
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

    static func unusable(_ reason: String, retryAfter: Double? = nil) -> Self {
        RequestError(
            status: 422, detail: "The fix \(reason).", monicaCode: 32,
            headers: retryAfter.map { ["Retry-After": "\(max(1, Int(clamping: $0.rounded(.up))))"] } ?? [:])
    }
}
