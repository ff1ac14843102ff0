import Contacts
import HTTP
import Shapes

/// The page that a client of Monica requests, and the links to other pages.
struct PageRequest: Sendable {
    let page: ContactPage
    /// The text to search for in names; nil for all.
    let query: String?

    private let path: String
    /// The query parameters of each link, besides the page.
    private let kept: [(name: String, value: String)]

    init(_ asked: APIRequest) throws {
        let request = asked.http
        var reader = RequestReader(query: request.query)
        if let limit = request.query("limit").flatMap(Int.init(digits:)), limit > PageSize.monica.most {
            throw RequestError(status: 400, detail: "The limit parameter is too big.", monicaCode: 30)
        }
        let sort = request.query("sort") ?? "created_at"
        guard ["created_at", "updated_at"].contains(sort.hasPrefix("-") ? String(sort.dropFirst()) : sort) else {
            throw RequestError(status: 400, detail: "The sorting criteria is invalid.", monicaCode: 39)
        }
        let (number, limit) = Self.page(&reader)
        page = ContactPage(
            number, limit: limit, isByChange: sort.hasSuffix("updated_at"), isDescending: sort.hasPrefix("-"))
        query = Self.name(&reader)?.orNil
        try reader.finish(allowingOthers: true)
        path = request.address
        kept = request.query.filter { ["limit", "sort", "query"].contains($0.name) }
    }

    private static let lastPage = 1_000_000_000

    /// The number of a page, and its size.
    static func page(_ query: inout RequestReader) -> (Int, Int) {
        let limit = query.limit(.monica)
        return (query.integer("page", in: 1...lastPage, usual: 1, example: 1), limit)
    }

    static func name(_ query: inout RequestReader) -> String? {
        query.text("query", "A part of the name.", example: "Ada")
    }

    func reply<Item>(_ items: [Item], total: Int) -> Reply<MonicaPage<Item>> {
        let last = max(1, (total + page.limit - 1) / page.limit)
        let links = MonicaLinks(
            first: link(1), last: link(last), previous: page.number > 1 ? link(page.number - 1) : nil,
            next: page.number < last ? link(page.number + 1) : nil)
        let meta = MonicaMeta(
            page: page, count: items.count, total: total, last: last, path: path, query: query)
        return Reply(MonicaPage(items: items, links: links, meta: meta))
    }

    private func link(_ number: Int) -> String {
        let items = kept.map { ($0.name, $0.value) } + [("page", "\(number)")]
        return path + "?" + items.map { "\($0.0.percentEncoded)=\($0.1.percentEncoded)" }.joined(separator: "&")
    }
}

extension PageRequest {
    /// The parameters of each list.
    static var fields: [Field] {
        let sorts = ["created_at", "-created_at", "updated_at", "-updated_at"]
        let sort = Field(ifAny: "sort", .choice(sorts).byDefault("created_at"), example: "-updated_at")
        return RequestReader.fields(as: .query, of: page) + [sort]
    }

    static var nameFields: [Field] { RequestReader.fields(as: .query, of: name) }
}

extension ServerRequest {
    /// The request's own URL without its query.
    var address: String { origin + "/" + path.map(\.percentEncoded).joined(separator: "/") }

    /// The start of links, before the path.
    ///
    /// Links are absolute as in Monica, with the host that the client used. `X-Forwarded-…` is ignored, because anybody
    /// may send it. An invalid host is left out. Over TLS links use https, because a client that follows one sends its
    /// token.
    var origin: String {
        guard let host = headers["Host"], !host.isEmpty, host.utf8.count <= 255,
            host.utf8.allSatisfy({ $0.isLetterOrDigit || ".:-[]_".utf8.contains($0) })
        else { return "" }
        return "\(isOverTLS ? "https" : "http")://\(host)"
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
