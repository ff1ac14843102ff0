import Geocoding
import HTTP
import JSON

extension DescriptionReader {
    mutating func template(_ name: String, isRequired: Bool, of names: Set<String>) -> URLTemplate? {
        let takes = "a URL of http or https, in which \(written(names)) may stand behind the host"
        func parse(_ json: JSONValue) -> URLTemplate? {
            json.text.flatMap(URLTemplate.init).flatMap { $0.names.isSubset(of: names) ? $0 : nil }
        }
        let template =
            isRequired
            ? required(name, takes: takes, secret: true, parse: parse)
            : optional(name, takes: takes, secret: true, parse: parse)
        if let template, PublicNominatim.isHost(template.server.host) { mistake("\(name) \(PublicNominatim.refusal)") }
        return template
    }

    /// Reads the forms of query. `{line}` is a query of its own; parts next to it would repeat it.
    mutating func forms(of search: URLTemplate?, structured: URLTemplate?) -> Set<Query.Form> {
        guard let search else { return [.freeForm] }
        let hasParts = !search.names.isDisjoint(with: URLTemplate.parts)
        if search.names.contains("line") == hasParts {
            mistake("search is not valid; it takes either {line}, or some of \(written(URLTemplate.parts))")
        }
        guard let structured else { return hasParts ? [.structured] : [.freeForm] }
        if hasParts || structured.names.contains("line") || structured.names.isDisjoint(with: URLTemplate.parts) {
            mistake("structuredSearch is not valid; it takes some of \(written(URLTemplate.parts)), and search {line}")
        }
        return [.structured, .freeForm]
    }

    mutating func headers() -> [String: String] {
        optional("headers", takes: "an object of texts, in which {key} may stand", secret: true) { json in
            json.object?.allMembers { _, value in
                value.text.flatMap { URLTemplate.names(in: $0).isSubset(of: ["key"]) ? $0 : nil }
            }
        } ?? [:]
    }
}
