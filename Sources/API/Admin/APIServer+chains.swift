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
    @ListBuilder<APIRoute> var chainRoutes: [APIRoute] {
        route(.get, "/v1/chains", .admin, .look) { _, db in Reply(List(try ChainStore().all(on: db))) }
            .described("getChains", "Lists chains", .ok("Which providers are called, in which order."))
        route(.get, "/v1/chains/{name}", .admin, .look) { request, db in Reply(try chain(request, on: db)) }
            .described("getChain", "Shows a chain", .ok("The chain."))
        route(.put, "/v1/chains/{name}", .admin, is: .conditional, .act, ChainInput.self) {
            try setChain($0, $1, on: $2)
        }
        .described(
            "setChain", "Creates a chain, or replaces it for new questions",
            details: "What is left out has its usual value.", .stored("The chain."), .made("The new chain."))
        route(.post, "/v1/chains/{name}/use", .admin, .act) { request, db in
            let (chain, account) = (try chain(request, on: db), request.caller.accountName)
            _ = try ContactStore().use(chain: chain.name, for: account, by: request.author, on: db)
            return Reply(ChainUsed(account: account, chain: chain.name))
        }
        .described("useChain", "Sets the chain for new addresses of the token's account", .ok("Set."))
        route(.get, "/v1/chains/{name}/report", .admin, .inspect) { request, db in
            Reply(try QuestionQueue().report(on: chain(request, on: db), on: db))
        }
        .described(
            "reportChain", "Shows what each lane of a chain found, and what that cost",
            details: "Of the questions whose answers are kept.", .ok("The report."))
    }

    private func chain(_ request: APIRequest, on database: isolated Connection) throws -> StoredChain {
        try ChainStore().current(request.name, on: database).orThrow(.notFound)
    }

    /// Creates or replaces a chain, for new questions. Missing members get their default.
    private func setChain(
        _ request: APIRequest, _ body: ChainInput, on database: isolated Connection
    ) throws -> Reply<StoredChain> {
        guard request.name.isName else { throw RequestError.notFound }
        var isNew = false
        do {
            let stored = try QuestionQueue().setChain(request.name, by: request.author, on: database) { known in
                isNew = known == nil
                try request.require { known.map { Reply($0).response } }
                return body.chain
            }
            return Reply(stored, status: isNew ? 201 : 200).showing("/v1/chains/\(request.name)")
        } catch let error as QueueError where error.cause == .noSuchLane {
            throw RequestError.invalid(field: "links", error.description)
        }
    }
}

struct ChainUsed: Shaped {
    let account, chain: String

    static let shape = Shape<ChainUsed>("ChainUsed", "The chain of an account's new addresses.") {
        Member("account", example: "default") { $0.account }
        Member("chain", example: "default") { $0.chain }
    }
}

struct ChainInput: BodyInput {
    static let allowsOthers = false
    var chain: Chain

    init(_ body: inout RequestReader) {
        _ = body.text("name", schema: .text, "Ignored: the path has the name.", isNullable: false)
        chain = Chain(body.objects("links", 1...50, allowsOthers: false, isRequired: true) { Chain.Link(&$0) })
        chain.located = body.number("located", in: 0...1, example: 0.75) ?? chain.located
        chain.review = body.number("review", in: 0...1) ?? chain.review
        chain.keepNotFound = body.integer("keep_not_found_days", in: 1...36_500) ?? chain.keepNotFound
        chain.keepFailed = body.integer("keep_failed_days", in: 1...36_500) ?? chain.keepFailed
        chain.sharesHouses = body.flag("shares_houses") ?? chain.sharesHouses
        chain.pauseSeconds = body.integer("pause_seconds", in: Chain.pauses, example: 60) ?? chain.pauseSeconds
        chain.lineOrder = body.choice("line_order", of: Query.LineOrder.allCases) ?? chain.lineOrder
        if chain.review > chain.located, !body.isMistaken("review", "located") {
            body.mistake("review", "is above located, so nothing would be reviewed")
        }
    }
}

extension Chain.Link {
    fileprivate init(_ link: inout RequestReader) {
        let lane = link.parsed(
            "lane", .text.matching("^[a-z0-9_-]{1,60}$"), example: "gazetteer", isRequired: true,
            refusal: "must be the name of a lane"
        ) { $0.isName ? $0 : nil }
        self.init(lane ?? "")
        let codes = link.countries(of: .text, 1 ... .max)
        countries = codes.isEmpty ? nil : codes
        below = link.number("below", in: 0...1)
        stopAt = link.choice("stop", of: Precision.allCases, example: "rooftop")
        let read = link.list(
            "steps", of: .text, 1 ... .max,
            refusal: "must be a list of steps, such as \(LadderStep.allCases.map(\.rawValue).joined(separator: ", "))"
        ) { $0.text.flatMap(LadderStep.init(rawValue:)) }
        steps = read.isEmpty ? nil : read
    }
}
