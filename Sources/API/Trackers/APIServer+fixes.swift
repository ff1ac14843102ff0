import Access
import Formats
import HTTP
import JSON
import Locations
import Processes
import Shapes

extension APIServer {
    /// The most bytes of a body that is one JSON value: a few thousand fixes. A stream in NDJSON has no limit.
    static let longestBatch = 1 << 20

    /// `POST /v1/trackers/{user}/locations`: one fix, a list of fixes, or a stream with one on each line.
    ///
    /// Sending the same again changes nothing, so it needs no `Idempotency-Key`.
    func takeFixes(_ request: APIRequest) async throws -> Reply<FixIntake> {
        let user = try request.user()
        var intake = FixIntake()
        if request.http.isOfLines {
            try await takeLines(of: request, user, &intake)
            return Reply(intake)
        }
        guard request.http.hasContentType("application/json") else {
            throw RequestError(
                status: 415, detail: "The body must be sent as application/json or application/x-ndjson.")
        }
        let json = try parsed(await request.body.collect(upTo: Self.longestBatch))
        // The list in the form that GET returns is accepted too.
        let list = json.list ?? json.object?["data"]?.list
        try await take((list ?? [json]).map { ReceivedFix($0) }, of: user, request, &intake)
        if list == nil, let refusal = intake.refusals.first {
            throw RequestError.unusable(refusal.problem.reason, retryAfter: intake.retryAfter)
        }
        return Reply(intake)
    }

    private func takeLines(of request: APIRequest, _ user: String, _ intake: inout FixIntake) async throws {
        var lines = NDJSONLines()
        for try await piece in request.body {
            lines.feed(piece)
            try await take(lines.fixes(), of: user, request, &intake)
        }
        lines.end()
        try await take(lines.fixes(), of: user, request, &intake)
    }

    func parsed(_ body: [UInt8]) throws -> JSONValue {
        do throws(JSONError) { return try JSONValue(parsing: body) } catch {
            throw RequestError.malformed("The body is not JSON: \(error)")
        }
    }

    /// Stores the fixes that can be true. Throws if the tracker is off or missing.
    func take(
        _ received: [ReceivedFix], of user: String, _ request: APIRequest, _ intake: inout FixIntake
    ) async throws {
        let (writer, now) = (await fixWriter(request), backend.now())
        let (obstacle, counted) = try await intake.take(received, of: user, by: writer, now: now)
        note(counted, request)
        if let obstacle { throw obstacle == .off ? RequestError.trackingIsOff : .noTracker }
    }

    /// Counts fixes that are not kept.
    func count(refused: [RefusedFix], of user: String, _ request: APIRequest) async throws {
        note(try await fixWriter(request).count(refused: refused, of: user), request)
    }

    private func fixWriter(_ request: APIRequest) async -> FixWriter {
        await fixWriters.writer(of: request.account, on: backend.database(of: request.account))
    }

    /// Counts refused fixes in the metrics. The first one of a kind is logged.
    private func note(_ counted: CountedRefusals, _ request: APIRequest) {
        backend.instruments?.note(refused: counted.counts)
        for reason in counted.new {
            backend.log.info(
                "the first fix that is not kept for this reason",
                [
                    "reason": reason.rawValue, "account": "\(request.account)",
                    "tracker": counted.tracker.map { "\($0)" } ?? "none",
                ])
        }
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
        status: 409, detail: "Tracking is off for this user; nothing was stored.", reason: .trackingOff)

    static let tooManyFixes = RequestError(
        status: 503, detail: "More fixes come in than can be stored; send these again soon.",
        headers: ["Retry-After": "5"])

    static func unusable(_ reason: String, retryAfter: Double? = nil) -> Self {
        RequestError(
            status: 422, detail: "The fix \(reason).",
            headers: retryAfter.map { ["Retry-After": "\(max(1, Int(clamping: $0.rounded(.up))))"] } ?? [:])
    }
}
