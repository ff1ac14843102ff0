import Access
import Formats
import FoundationEssentials
import HTTP
import JSON
import Locations
import Shapes

/// The protocols of phone apps. Each app has its own format, its own way to send the token, and its own expected
/// response.
///
/// Each app keeps a fix until it is confirmed with 2xx, and sends it again. Traccar's client and OwnTracks send nothing
/// else before that. So a fix that can never be accepted is confirmed and counted. A fix that may be accepted later is
/// refused.
extension APIServer {
    @ListBuilder<APIRoute> var phoneRoutes: [APIRoute] {
        APIRoute(phone: .post, "/v1/owntracks", ownTracks)
            .described(
                "postOwnTracks", "Takes in what OwnTracks posts in HTTP mode",
                details:
                    "The token is the password of HTTP Basic. \(Self.unusable) An encrypted message is answered with 422.",
                query: [
                    Field(
                        ifAny: "u", .text(within: .user),
                        "The user; else the header X-Limit-U, or the name of HTTP Basic.", example: "ada"),
                    Field(ifAny: "d", .text(within: .user), "The device; not used.", example: "phone"), Self.phoneToken,
                ],
                body: .json(
                    Schema.map(.anything).with(example: [
                        "_type": "location", "lat": 60.17, "lon": 24.94, "tst": 1_795_169_700, "acc": 5,
                    ])
                ).ifAny, .ok("Nothing for the app.", .list(.anything, 0...0).with(example: [])))
        APIRoute(phone: .post, "/v1/overland", overland)
            .described(
                "postOverland", "Takes in a batch of Overland",
                details: "\(Self.unusable) Fixes of devices without a tracker are counted, if the batch has others.",
                query: [
                    Field(ifAny: "user", .text(within: .user), "The user; by default the device_id.", example: "ada"),
                    Self.phoneToken,
                ],
                body: .json(
                    Schema.object(allowsOthers: true) { Field("locations", .list(.anything)) }.with(example: [
                        "locations": [
                            [
                                "type": "Feature", "geometry": ["type": "Point", "coordinates": [24.94, 60.17]],
                                "properties": ["timestamp": "2026-11-20T10:15:00Z", "device_id": "ada"],
                            ]
                        ]
                    ])), .ok("The app deletes its batch.", .object { Field("result", .always("ok")) }))
        APIRoute(phone: .get, "/v1/osmand", osmAnd)
            .described(
                "getOsmAnd", "Takes in a fix as OsmAnd and Traccar's client send it", details: Self.unusable,
                query: Self.osmAndQuery, Success(status: 200, summary: "Stored."))
        APIRoute(phone: .post, "/v1/osmand", osmAnd)
            .described(
                "postOsmAnd", "Takes in a fix as OsmAnd and Traccar's client send it, in a form or in JSON",
                details: Self.unusable, query: Self.osmAndQuery,
                body: .json(
                    Schema.map(.anything).with(example: [
                        "device_id": "ada",
                        "location": [
                            "timestamp": "2026-11-20T10:15:00Z",
                            "coords": ["latitude": 60.17, "longitude": 24.94, "accuracy": 5],
                        ],
                    ]),
                    orForm: .map(.anything).with(example: [
                        "id": "ada", "lat": "60.17", "lon": "24.94", "timestamp": "1795169700",
                    ])
                ).ifAny, Success(status: 200, summary: "Stored."))
    }

    private static let unusable =
        "A fix that can never be kept is answered with 200 and counted. One that is up to a day ahead of the clock is answered with 422 and `Retry-After`, so that the app keeps it."

    private static let phoneToken = Field(
        ifAny: "token", .text(0...512).matching(#"^[^\u0000]*$"#), "The token, for apps that can't set a header.",
        example: "wp_1_…")

    private static let osmAndQuery = [
        Field(ifAny: "id", .text(within: .user), "The user.", example: "ada"),
        Field(ifAny: "lat", .text, example: "60.17"), Field(ifAny: "lon", .text, example: "24.94"),
        Field(
            ifAny: "timestamp", .text(0...100).matching(#"^[^\u0000]*$"#),
            "Seconds or milliseconds since 1970, or RFC 3339; by default now.", example: "1795169700"),
        Field(ifAny: "accuracy", .text, "Metres.", example: "5"), phoneToken,
    ]

    /// `POST /v1/owntracks`: https://owntracks.org/booklet/tech/http/
    private func ownTracks(_ request: APIRequest) async throws -> ServerResponse {
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
    private func overland(_ request: APIRequest) async throws -> ServerResponse {
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
    private func osmAnd(_ request: APIRequest) async throws -> ServerResponse {
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
            "The message is encrypted. Delete the encryption key in the app's preferences, and let the app use https.")
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
