package import Geocoding
package import HTTP

/// Calls the geocoder of the US Census Bureau with many addresses at once:
/// https://geocoding.geo.census.gov/geocoder/Geocoding_Services_API.pdf
///
/// It needs no key. It finds streets and houses in the United States, and nothing coarser. A reply for thousands of
/// addresses takes minutes, so the client needs a `totalLimit` of its own.
package struct CensusProvider: HTTPProvider {
    package let name = "census"
    package let terms: ProviderTerms
    package let http: HTTPClient
    package let server: HTTPURL
    private let benchmark: String

    package static let publicServer = HTTPURL(known: "https://geocoding.geo.census.gov")

    /// Puerto Rico and the island areas have codes of their own in ISO 3166-1.
    static let territories: Set<String> = ["AS", "GU", "MP", "PR", "VI"]

    /// A `batch` may have up to 10,000 addresses. `benchmark` is the edition of the map.
    package init(
        batch: Int = 1_000, benchmark: String = "Public_AR_Current", http: HTTPClient,
        server: HTTPURL = Self.publicServer
    ) {
        self.server = server
        self.benchmark = benchmark
        self.http = http
        terms = ProviderTerms(
            batch: min(batch, 10_000), forms: [.structured], countries: Self.territories.union(["US"]),
            use: .census)
    }

    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        let rows = queries.enumerated().filter { !CensusTable.field($0.element.address.street).isEmpty }
            .map { CensusTable.Row(id: $0.offset + 1, fields: fields(of: $0.element)) }
        // Without a street it finds nothing, and may refuse the others together with it.
        var answers = queries.map { _ in Answer.refused(reason: "\(name) takes only addresses with a street") }
        guard !rows.isEmpty else { return answers }
        for (id, answer) in try await call(with: rows) { answers[id - 1] = answer }
        return answers
    }

    private func call(with rows: [CensusTable.Row]) async throws(ProviderError) -> [Int: Answer] {
        let form = MultipartForm(
            fields: ["benchmark": benchmark], file: "addressFile", named: "addresses.csv", type: "text/csv",
            content: CensusTable.text(rows))
        let url = server.appending(path: "geocoder", "locations", "addressbatch")
        let request = HTTPRequest(.post, url, headers: ["Content-Type": form.type], body: form.body)
        switch try await call(request) {
        case .none(let answer):
            // The reply does not show which of them it refuses.
            guard rows.count == 1 else { throw .unavailable(reason: "\(name) refused a table of addresses") }
            return [rows[0].id: answer]
        case .body(let body): return try read(body, about: Set(rows.map(\.id)))
        }
    }

    /// Reads the rows, which come in any order. If there is one too few or too many, none of them is usable.
    private func read(_ body: [UInt8], about asked: Set<Int>) throws(ProviderError) -> [Int: Answer] {
        guard let records = CensusTable.records(in: body) else { throw unreadable }
        var answers: [Int: Answer] = [:]
        for record in records {
            guard let id = Int(record[0]), asked.contains(id), let answer = CensusMatch.answer(in: record),
                answers.updateValue(answer, forKey: id) == nil
            else { throw unreadable }
        }
        guard answers.count == asked.count else { throw unreadable }
        return answers
    }

    private func fields(of query: Query) -> [String] {
        let address = query.address
        let code = query.countryCode ?? ""
        // For the Census, a territory is a state.
        let state = Self.territories.contains(code) && address.region.allSatisfy(\.isWhitespace) ? code : address.region
        return [address.street, address.city, state, address.postcode]
    }
}
