import Access
import HTTP
import JSON
import Postgres
import Processes
import Queue
import Shapes

extension APIServer {
    /// The description of the API in OpenAPI 3.1: https://spec.openapis.org/oas/v3.1.1.html
    package static let openAPI: [UInt8] = {
        let nowhere = Backend(
            database: Database(url: ""), tokens: TokenStore(), openAccount: nil, log: Log(format: .logfmt) { _ in },
            standing: { _ in CoordinatorStanding(isHeard: false, isLed: false) })
        return APIServer(nowhere).described
    }()

    /// Made from the routes.
    private var described: [UInt8] {
        JSONWriter.bytes { json in
            json.object { json in
                json.member("openapi", "3.1.0")
                json.object("info") { json in
                    json.member("title", "Waypost")
                    json.member("version", "1")
                    json.member("description", Self.introduction)
                    json.object("license") { json in
                        json.member("name", "Apache 2.0")
                        json.member("identifier", "Apache-2.0")
                    }
                }
                json.list("servers", ["/"]) { json, url in json.object { $0.member("url", url) } }
                json.list("security", ["token"]) { json, name in
                    json.object { $0.list(name, [] as [Int]) { $0.value($1) } }
                }
                json.list("tags", APIRoute.Tag.allCases) { json, tag in json.object { $0.member("name", tag.rawValue) }
                }
                json.object("paths") { writePaths(to: &$0) }
                json.object("components") { writeComponents(to: &$0) }
            }
        }
    }

    private func writePaths(to json: inout JSONWriter) {
        var byPath: [String: [APIRoute]] = [:]
        for route in routes { byPath[route.pattern, default: []].append(route) }
        for (path, routes) in byPath.sorted(by: { $0.key < $1.key }) {
            json.object(path) { json in
                for route in routes { json.member(route.method.rawValue.lowercased()) { route.write(to: &$0) } }
            }
        }
    }

    private func writeComponents(to json: inout JSONWriter) {
        json.object("securitySchemes") { json in
            json.object("token") { json in
                json.member("type", "http")
                json.member("scheme", "bearer")
                json.member(
                    "description",
                    "`waypost tokens create`. A server without tokens answers clients on its own machine without one.")
            }
        }
        json.object("schemas") { writeModels(to: &$0) }
        json.object("responses") { Refusal.write(to: &$0) }
    }

    private func writeModels(to json: inout JSONWriter) {
        var models: [String: Model] = [:]
        func add(_ list: [Model]) {
            for model in list { models[model.name] = models[model.name] ?? model }
        }
        for route in routes {
            add(route.output?.schema.models ?? [])
            add(route.body?.contents.flatMap(\.schema.models) ?? [])
            add((route.operation?.successes ?? []).flatMap { $0.content?.schema.models ?? [] })
        }
        add(Refusal.Form.allCases.map(\.model))
        for (name, model) in models.sorted(by: { $0.key < $1.key }) { json.member(name, number: model.json.text) }
    }

    private static let introduction = """
        Contacts in, places out. Under `/api` in Monica's format, under `/v1` in our own format.

        **Tokens.** Each request has one: `Authorization: Bearer wp_…`. An operator creates it with `waypost tokens \
        create`. It belongs to one account. Each operation names the scope that it needs.

        **Versions.** The path has the number of the format. Within `/v1`, members, parameters, operations and words of \
        a list may be added, so ignore unknown members. An incompatible change would come as `/v2`, next to \
        `/v1`.

        **Pages.** `/v1` pages by key: send `next_after` of a response as `after` of the next request, until it is \
        null. No row is missed or returned twice while others write. `/api` counts pages, as Monica does: `page`, \
        `limit`, and `links.next` until it is null. `GET /v1/friends?updated_since=` returns the changes since the \
        `next_since` of an earlier response.

        **Conditions.** A response to GET has an `ETag`. With it in `If-None-Match`, the response is 304 while nothing \
        has changed. With it in `If-Match`, a write that would undo another's is refused with 412.

        **Repeated requests.** A write with an `Idempotency-Key` may be sent again after a failure: it is carried out \
        once, and the second response has `Idempotent-Replayed: true`.

        **Reading what you wrote.** A server may read from a standby, which is slightly behind. Then the response to a \
        write has a `Database-Position`. A request that reads and has this header shows that write.

        **Limits.** Accounts share the server. Each response to a known client has `RateLimit` and `RateLimit-Policy`. \
        A client above its share gets 429 with `Retry-After`. Each response has a `Request-Id`, which is in the \
        server's log.

        **gzip.** Long responses are compressed for `Accept-Encoding: gzip`. A body may have `Content-Encoding: gzip`.

        **Errors.** Under `/v1`, and wherever no operation is reached, `application/problem+json` (RFC 9457) with a \
        `code` for programs; under `/api` in Monica's format. No error repeats data of a contact. If `Accept` names \
        `text/html`, an error is a page instead.
        """
}
