import Formats
import Foundation
import HTTP
import JSON
import Locations

/// Phone apps as they are: each sends in its own form, shows its token in its own way, and expects its own answer.
extension APIServer {
    /// `POST /v1/owntracks`: https://owntracks.org/booklet/tech/http/
    func ownTracks(_ request: APIRequest) async throws -> ServerResponse {
        let body = try await request.body.collect(upTo: Self.longestBatch)
        // An app that deletes a friend posts nothing at all.
        guard !body.isEmpty else { return .nothingForOwnTracks }
        let message = try parsed(body)
        guard message.object != nil else { throw RequestError.malformed("The message is not a JSON object.") }
        guard let received = OwnTracks.fix(in: message) else { return .nothingForOwnTracks }
        let http = request.http
        let user = http.headers["X-Limit-U"] ?? http.query("u") ?? received.device
        _ = try await take([received], of: user, from: request)
        return .nothingForOwnTracks
    }

    /// `POST /v1/overland`: https://github.com/aaronpk/Overland-iOS#api
    func overland(_ request: APIRequest) async throws -> ServerResponse {
        let json = try parsed(await request.body.collect(upTo: Self.longestBatch))
        guard let received = Overland.fixes(in: json) else {
            throw RequestError.malformed("The body has no list of locations.")
        }
        for (device, fixes) in Dictionary(grouping: received, by: { request.http.query("user") ?? $0.device }) {
            _ = try await take(fixes, of: device, from: request)
        }
        // It keeps its batch until it reads this.
        return .json { json in json.object { $0.member("result", "ok") } }
    }

    /// `GET` or `POST /v1/osmand`, with the fix in the query, in a form, or in JSON: https://www.traccar.org/osmand/
    func osmAnd(_ request: APIRequest) async throws -> ServerResponse {
        let body = request.http.method == .post ? try await request.body.collect(upTo: Self.longestBatch) : []
        if request.http.hasContentType("application/json"), !body.isEmpty {
            guard let received = OsmAnd.fixes(in: try parsed(body)) else {
                throw RequestError.malformed("The body has no location.")
            }
            let intake = try await take(received, of: received.first?.device, from: request)
            if let reason = intake.refusals.first?.reason, received.count == 1 { throw RequestError.unusable(reason) }
            return ServerResponse(status: 200)
        }
        guard let form = FormBody.fields(body) else { throw RequestError.malformed("The body is no form.") }
        let received = OsmAnd.fix(in: request.http.query + form, now: Date().timeIntervalSince1970)
        let intake = try await take([received], of: received.device, from: request)
        if let reason = intake.refusals.first?.reason { throw RequestError.unusable(reason) }
        return ServerResponse(status: 200)
    }

    private func take(
        _ received: [ReceivedFix], of user: String?, from request: APIRequest
    ) async throws -> FixIntake {
        guard let user, !user.isEmpty, TextLimit.user.permits(user) else {
            throw RequestError.malformed("The message does not say which user's phone sent it.")
        }
        var intake = FixIntake(request.caller.account)
        try await take(received, of: user, &intake)
        return intake
    }
}

extension ServerResponse {
    /// The app shows what comes back; this is nothing.
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

    /// With the token as a bearer token, and the user where OwnTracks's recorder would look for it, where the token came as the password that OwnTracks sends, or in the URL, which is all that some
    /// apps let a person set.
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
