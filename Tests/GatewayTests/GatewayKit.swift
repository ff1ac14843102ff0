import Access
import Contacts
import DatabaseTesting
import Foundation
import Gateway
import Geocoding
import HTTP
import JSON
import Points
import Postgres
import Processes
import Providers
import Queue
import Testing

@testable import API

/// The doors, over the test's database, with the gazetteer and the regions that the test has loaded.
struct GatewayKit: Sendable {
    let router: Router
    let tokens: [String: String]
    let account: Int
    let metrics = Metrics()
    let traffic: TrafficCounter

    struct Reply: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue { get throws { try JSONValue(parsing: body) } }
        var type: String { headers["Content-Type"] ?? "" }
        var source: String? { headers["Waypost-Source"] }

        /// The member at this path of names and indexes.
        func at(_ path: String...) throws -> JSONValue? {
            var value: JSONValue? = try json
            for step in path {
                value = Int(step).flatMap { place in value?.list?.dropFirst(place).first } ?? value?.object?[step]
            }
            return value
        }
    }

    /// With `tokens`, a token of each name with these manners: that of `other` is of another account.
    init(tokens made: [String: GeocodingManners] = [:]) async throws {
        let store = TokenStore()
        let (account, texts) = try await Database.test.run { db in
            let account = try ContactStore().openAccount(named: "default", on: db)
            var texts: [String: String] = [:]
            for (name, manners) in made {
                texts[name] = try store.create(
                    account: name == "other" ? ContactStore().openAccount(named: name, on: db) : account, name: name,
                    scopes: [.geocode], manners: manners, on: db
                ).text
            }
            return (account, texts)
        }
        let database = try Database.test(as: "waypost_api")
        var backend = Backend(
            database: database, tokens: store, openAccount: OpenAccount(id: account, name: "default"),
            log: Log(format: .logfmt) { _ in },
            standing: { _ in CoordinatorStanding(isHeard: true, isLed: true) })
        backend.localProviders = {
            var local = ["gazetteer": LocalProvider(GazetteerProvider())]
            for set in try await PointSetStore().providers(in: database) {
                local[set.name] = LocalProvider(set) { try await set.areas(ofRelations: $0) }
            }
            return local
        }
        let instruments = APIInstruments(metrics)
        (backend.instruments, traffic) = (instruments, instruments.traffic)
        let server = APIServer(backend)
        var router = server.router
        server.addGateway(to: &router)
        (self.router, self.tokens, self.account) = (router, texts, account)
    }

    func ask(
        _ target: String, _ method: ServerRequest.Method = .get, headers: HTTPHeaders = [:],
        isOverLoopback: Bool = true,
        body: [UInt8] = []
    ) async throws -> Reply {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let query = (parts.count > 1 ? parts[1].split(separator: "&") : []).map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
            return (name: pair[0], value: pair.count > 1 ? pair[1] : "")
        }
        var headers = headers
        headers["Host"] = headers["Host"] ?? "127.0.0.1:8080"
        let request = ServerRequest(
            method, path: path, query: query, headers: headers, body: RequestBody(body),
            isOverLoopback: isOverLoopback)
        guard case .route(let route, let parameters) = router.find(method, path) else {
            return Reply(status: 404, headers: [:], body: [])
        }
        let response = try await route.respond(to: request, parameters: parameters)
        return Reply(status: response.status, headers: response.headers, body: response.bytes)
    }
}
