import Access
import Contacts
import Geocoding
import HTTP
import JSON
import Postgres
import Questions
import Queue
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var rematchRoutes: [APIRoute] {
        APIRoute(.post, "/v1/rematch", .admin, is: .unremembered, rematch)
            .described(
                "rematch", "Asks answered questions again, to get better answers",
                details:
                    "Of the addresses of the token's account. The old places stay until better ones are there; what a person decided is never asked.",
                .ok("What it takes."))
    }

    /// Asks answered questions of the account's addresses again. Their places stay until there are
    /// better ones.
    private func rematch(_ request: APIRequest, _ body: RematchBody) async throws -> Reply<RematchResult> {
        var selection = body.selection
        selection.account = request.account
        let database = try backend.adminDatabase(of: request.account)
        if let chain = selection.chain {
            guard try await database.run({ try ChainStore().current(chain, on: $0) }) != nil else {
                throw RequestError.invalid(field: "chain", "must be the name of an existing chain")
            }
        }
        let rematch = Rematch(selection)
        let outlook = try await rematch.outlook(on: database)
        let asked = body.isDry ? 0 : try await rematch.run(outlook, by: request.author, on: database)
        return Reply(RematchResult(outlook, asked: asked, isDry: body.isDry))
    }
}

struct RematchBody: BodyInput {
    static let name = "RematchSelection"
    var selection = RematchSelection()
    let isDry: Bool

    init(_ body: inout RequestReader) {
        selection.answers.provider = body.text("provider", example: "gazetteer")?.orNil
        selection.answers.precision = body.choice("precision", of: Precision.allCases, mayBeEmpty: true)
        let answered = GeocodeStatus.answered.filter { $0 != .forgotten }
        let status = body.choice("status", of: answered, "By default, located.", mayBeEmpty: true)
        selection.countries = body.countries(
            of: .text.matching("^[A-Z]{2}$"), nil, "Codes of ISO 3166-1.", example: ["DE"])
        selection.answers.isWeak = body.flag("weak", "Only answers that are coarser than what was asked.") ?? false
        selection.answers.below = body.number(
            "below", in: 0...1, "Only answers whose confidence is less.", example: 0.8)
        selection.answers.age = body.seconds("older_seconds")
        let isFiltered = selection != RematchSelection() || status != nil
        selection.answers.status = status ?? .located
        selection.chain = body.text("chain", "The chain to ask along; by default that of the account.")?.orNil
        selection.limit = body.integer("limit", in: 1...1_000_000_000, "How many questions at most.", example: 1000)
        body.requireFilterOrAll(isFiltered: isFiltered)
        isDry = body.isDry("Only say what it would take.")
    }
}

extension RequestReader {
    mutating func countries(
        of codes: @autoclosure () -> Schema, _ counts: ClosedRange<Int>? = nil, _ help: String = "",
        example: JSONText? = nil
    ) -> [String] {
        list(
            "countries", of: codes(), counts, help, example: example,
            refusal: "must be a list of countries, each by its code"
        ) { $0.text.flatMap { Country($0)?.code } }
    }
}
