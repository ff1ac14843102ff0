import Access
import Formats
import FoundationEssentials
import HTTP
import JSON
import Locations

/// The protocols of phone apps. Each app has its own format, its own way to send the token, and its own expected
/// response.
///
/// Each app keeps a fix until it is confirmed with 2xx, and sends it again. Traccar's client and OwnTracks send nothing
/// else before that. So a fix that can never be accepted is confirmed and counted. A fix that may be accepted later is
/// refused.
extension APIServer {
    /// `POST /v1/owntracks`: https://owntracks.org/booklet/tech/http/
    func ownTracks(_ request: APIRequest) async throws -> ServerResponse {
        let body = try await request.body.collect(upTo: Self.longestBatch)
        // An app that deletes a friend sends an empty body.
        guard !body.isEmpty else { return .nothingForOwnTracks }
        let message = try parsed(body)
        guard message.object != nil else { throw RequestError.malformed("The message is not a JSON object.") }
        let received = OwnTracks.fix(in: message)
        let isEncrypted = OwnTracks.isEncrypted(message)
        guard received != nil || isEncrypted else { return .nothingForOwnTracks }
        let user = try phoneUser(
            request, named: request.http.headers["X-Limit-U"] ?? request.http.query("u"), else: received?.device)
        guard let received, !isEncrypted else {
            try await count(
                refused: [RefusedFix(.encrypted, key: RefusedFix.key(of: body))], of: user, request)
            throw RequestError.encrypted
        }
        try await takeFromPhone([received], of: user, request)
        return .nothingForOwnTracks
    }

    /// `POST /v1/overland`: https://github.com/aaronpk/Overland-iOS#api
    func overland(_ request: APIRequest) async throws -> ServerResponse {
        let json = try parsed(await request.body.collect(upTo: Self.longestBatch))
        guard let received = Overland.fixes(in: json) else {
            throw RequestError.malformed("The body has no list of locations.")
        }
        var isAnyTaken = received.isEmpty
        var failures: [RequestError] = []
        for (device, fixes) in Dictionary(grouping: received, by: \.device) {
            do {
                let name = request.http.query("user") ?? device
                if name == nil, request.caller.user == nil {
                    try await count(refused: fixes.map { RefusedFix(.noTracker, $0) }, of: "", request)
                }
                try await takeFromPhone(fixes, of: try phoneUser(request, named: name), request)
                isAnyTaken = true
            } catch let error as RequestError {
                failures.append(error)
            } catch let error as AccountIsBusy {
                failures.append(RequestError(error))
            }
        }
        // A device without a tracker must not block the other devices' fixes in the phone forever. But if fixes may be
        // accepted later, the batch is refused so that the phone keeps it.
        if let failure = failures.first(where: { $0.headers["Retry-After"] != nil })
            ?? (isAnyTaken ? nil : failures.first)
        {
            throw failure
        }
        // The app keeps its batch until it gets this.
        return .json { json in json.object { $0.member("result", "ok") } }
    }

    /// `GET` or `POST /v1/osmand`, with the fix in the query, in a form, or in JSON: https://www.traccar.org/osmand/
    func osmAnd(_ request: APIRequest) async throws -> ServerResponse {
        let body = request.http.method == .post ? try await request.body.collect(upTo: Self.longestBatch) : []
        let received: [ReceivedFix]
        if request.http.hasContentType("application/json"), !body.isEmpty {
            guard let fixes = OsmAnd.fixes(in: try parsed(body)) else {
                throw RequestError.malformed("The body has no location.")
            }
            received = fixes
        } else {
            guard let form = FormBody.fields(body) else { throw RequestError.malformed("The body must be a form.") }
            received = [OsmAnd.fix(in: request.http.query + form, now: backend.now())]
        }
        try await takeFromPhone(received, of: try phoneUser(request, named: received.first?.device), request)
        return ServerResponse(status: 200)
    }

    /// Returns the user of the phone: from the message, or else from the token, or else `other`.
    private func phoneUser(
        _ request: APIRequest, named name: String?, else other: String? = nil
    ) throws(RequestError) -> String {
        let name = name.flatMap { $0.isEmpty ? nil : $0 }
        let own = request.caller.user
        guard let user = (name ?? own ?? other).flatMap(TextLimit.user.fitted), !user.isEmpty, !user.utf8.contains(0)
        else {
            throw RequestError.nameless
        }
        guard own?.isExactly(user) != false else {
            throw RequestError.forbidden("The token is good for another user's phone.")
        }
        return user
    }

    /// Throws if the phone must send something again.
    private func takeFromPhone(_ received: [ReceivedFix], of user: String, _ request: APIRequest) async throws {
        var intake = FixIntake()
        try await take(received, of: user, request, &intake)
        if let seconds = intake.retryAfter,
            let refusal = intake.refusals.first(where: { $0.problem.secondsUntilGood != nil })
        {
            throw RequestError.unusable(refusal.problem.reason, retryAfter: seconds)
        }
    }
}

extension RequestError {
    fileprivate static let nameless = malformed("The message does not say which user's phone sent it.")

    fileprivate static let encrypted = RequestError(
        status: 422,
        detail:
            "The message is encrypted. Delete the encryption key in the app's preferences, and let the app use https.",
        monicaCode: 32)
}

extension ServerResponse {
    /// The app shows the objects in a response, so this one is empty.
    fileprivate static let nothingForOwnTracks = ServerResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: .bytes(Array("[]".utf8)))
}

extension ServerRequest {
    /// https://www.rfc-editor.org/rfc/rfc7617
    private var basicCredentials: (user: String, password: String)? {
        let shown = headers.values("Authorization")
        guard shown.count == 1, shown[0].lowercased().hasPrefix("basic "),
            let bytes = Data(base64Encoded: String(shown[0].dropFirst(6))),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// Converts a phone's token to a bearer token. OwnTracks sends it as the password of Basic authentication, together
    /// with the user, which goes into the header of OwnTracks' recorder. Some apps can only be given a URL, so the
    /// token may be in the query.
    func withPhonesToken() -> ServerRequest {
        let basic = basicCredentials
        guard let token = basic?.password ?? (headers["Authorization"] == nil ? query("token") : nil) else {
            return self
        }
        var headers = headers
        headers["Authorization"] = "Bearer \(token)"
        if let basic, headers["X-Limit-U"] == nil, query("u") == nil { headers["X-Limit-U"] = basic.user }
        return ServerRequest(
            method, path: path, query: query.filter { $0.name != "token" }, headers: headers, body: body,
            isOverLoopback: isOverLoopback, isOverTLS: isOverTLS)
    }
}
