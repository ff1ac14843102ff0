package import Geocoding
import Glibc
package import HTTP

/// Calls Apple Maps: https://developer.apple.com/documentation/applemapsserverapi
///
/// Each call contains an access token that is valid for half an hour. All calls of the process share it.
package struct AppleMapsProvider: OneByOneProvider {
    package let name = "apple"
    package let terms = ProviderTerms(
        forms: [.freeForm], canReverse: true, limits: [CallLimit(25_000, per: .seconds(86_400))],
        use: .apple)
    package let http: HTTPClient
    private let account: AppleMapsAccount
    package let server: HTTPURL
    private let language: String
    private let token: SharedToken

    package static let publicServer = HTTPURL(known: "https://maps-api.apple.com")

    /// Names are returned in `language`, a code such as `en-US`.
    package init(
        account: AppleMapsAccount, language: String, http: HTTPClient, server: HTTPURL = Self.publicServer
    ) {
        let token = SharedToken { time(nil) }
        self.init(account: account, token: token, language: language, http: http, server: server)
    }

    init(account: AppleMapsAccount, token: SharedToken, language: String, http: HTTPClient, server: HTTPURL) {
        self.account = account
        self.token = token
        self.server = server
        self.language = language
        self.http = http
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        try await answer(
            from: server.appending(path: "v1", "geocode").appending(query: [
                "q": query.line, "limitToCountries": query.countryCode,
            ]))
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "v1", "reverseGeocode")
            .appending(query: ["loc": "\(coordinate.latitude),\(coordinate.longitude)"])
        return try await answer(from: url)
    }

    private func answer(from url: HTTPURL) async throws(ProviderError) -> Answer {
        try await callWithToken(url.appending(query: ["lang": language])).answer { body throws(ProviderError) in
            try decode(ApplePlaces.self, from: body).results.prefix(5).map { place throws(ProviderError) in
                try candidate(place, place.coordinate.latitude, place.coordinate.longitude)
            }
        }
    }

    /// Calls with the access token, which may be refused before it expires. An immediate retry with a new token would
    /// be a second call, so the job's next call does that.
    private func callWithToken(_ url: HTTPURL) async throws(ProviderError) -> HTTPReply {
        let text = try await token.text(fetch: accessToken)
        do {
            let reply = try await call(request(url, with: text))
            await token.accept(text)
            return reply
        } catch {
            guard case .unauthorized = error, await token.refuse(text) else { throw error }
            throw .unavailable(reason: "\(name) no longer accepts its access token; the next call fetches another")
        }
    }

    /// Fetches an access token. Apple does not count this as a geocoding call, and the lane's limits don't apply to it.
    private func accessToken(now: Int) async throws(ProviderError) -> SharedToken.Token {
        guard let signed = try? account.token(now: now),
            case .body(let body) = try await call(
                request(server.appending(path: "v1", "token"), with: signed), isGeocoding: false)
        else { throw .unauthorized(reason: "\(name) did not accept the token that we signed") }
        let answer = try decode(AppleAccess.self, from: body)
        guard (1...86_400).contains(answer.expiresInSeconds) else {
            throw .unavailable(reason: "\(name) gave an access token that is not valid for 1 s to a day")
        }
        return SharedToken.Token(text: answer.accessToken, end: now + answer.expiresInSeconds)
    }

    private func request(_ url: HTTPURL, with token: String) -> HTTPRequest {
        HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(token)"])
    }
}

private struct AppleAccess: Decodable {
    let accessToken: String
    let expiresInSeconds: Int
}
