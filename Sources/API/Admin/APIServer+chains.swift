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
    /// `GET /v1/chains`
    func chains(_ request: APIRequest) async throws -> Reply<List<StoredChain>> {
        let chains = try await backend.database(of: request.caller.account).run { try ChainStore().all(on: $0) }
        return Reply(List(chains))
    }

    /// `GET /v1/chains/{name}`
    func chain(_ request: APIRequest) async throws -> Reply<StoredChain> {
        let name = request.http.parameters["name"] ?? ""
        let chain = try await backend.database(of: request.caller.account).run { database in
            try ChainStore().current(name, on: database)
        }
        return try Reply(chain.orThrow(.notFound))
    }

    /// `GET /v1/chains/{name}/report`: the results of each lane, and their cost.
    func chainReport(_ request: APIRequest) async throws -> Reply<ChainReport> {
        let name = request.http.parameters["name"] ?? ""
        let report = try await backend.adminDatabase(of: request.caller.account).run { database in
            try ChainStore().current(name, on: database).map { try QuestionQueue().report(on: $0, on: database) }
        }
        return try Reply(report.orThrow(.notFound))
    }

    /// `PUT /v1/chains/{name}`: creates or replaces a chain, for new questions. Missing members get their default.
    func setChain(_ request: APIRequest, _ body: ChainInput) async throws -> Reply<StoredChain> {
        let name = request.http.parameters["name"] ?? ""
        guard name.isName else { throw RequestError.notFound }
        return try await act(request) { database in
            var isNew = false
            do {
                let stored = try QuestionQueue().setChain(name, by: request.caller.author, on: database) { known in
                    isNew = known == nil
                    try request.require { known.map { Reply($0).response } }
                    return body.chain
                }
                return Reply(stored, status: isNew ? 201 : 200).showing("/v1/chains/\(name)")
            } catch let error as QueueError where error.cause == .noSuchLane {
                throw RequestError.invalid(fields: [.init(field: "links", detail: error.description)])
            }
        }
    }

    /// `POST /v1/chains/{name}/use`: new addresses of the token's account use this chain.
    func useChain(_ request: APIRequest) async throws -> Reply<ChainUsed> {
        let name = request.http.parameters["name"] ?? ""
        return try await act(request) { database in
            let chain = try ChainStore().current(name, on: database).orThrow(.notFound)
            let account = request.caller.accountName
            _ = try ContactStore().use(chain: name, for: account, by: request.caller.author, on: database)
            return Reply(ChainUsed(account: account, chain: chain.name))
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
