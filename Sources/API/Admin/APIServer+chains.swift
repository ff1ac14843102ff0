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
        try request.refuseParameters()
        let chains = try await backend.database(of: request.caller.account).run { try ChainStore().all(on: $0) }
        return Reply(List(chains))
    }

    /// `GET /v1/chains/{name}`
    func chain(_ request: APIRequest) async throws -> Reply<StoredChain> {
        try request.refuseParameters()
        let name = request.http.parameters["name"] ?? ""
        let chain = try await backend.database(of: request.caller.account).run { database in
            try ChainStore().current(name, on: database)
        }
        guard let chain else { throw RequestError.notFound }
        return Reply(chain)
    }

    /// `GET /v1/chains/{name}/report`: the results of each lane, and their cost.
    func chainReport(_ request: APIRequest) async throws -> Reply<ChainReport> {
        try request.refuseParameters()
        let name = request.http.parameters["name"] ?? ""
        let report = try await backend.adminDatabase(of: request.caller.account).run { database in
            try ChainStore().current(name, on: database).map { try QuestionQueue().report(on: $0, on: database) }
        }
        guard let report else { throw RequestError.notFound }
        return Reply(report)
    }

    /// `PUT /v1/chains/{name}`: creates or replaces a chain, for new questions. Missing members get their default.
    func setChain(_ request: APIRequest) async throws -> Reply<StoredChain> {
        try request.refuseParameters()
        let name = request.http.parameters["name"] ?? ""
        guard name.isName else { throw RequestError.notFound }
        var fields = try await request.fields()
        let plan = fields.chain()
        try fields.finish()
        return try await act(request) { database in
            var isNew = false
            do {
                let stored = try QuestionQueue().setChain(name, by: request.caller.author, on: database) { known in
                    isNew = known == nil
                    try request.require { known.map { Reply($0).response } }
                    return plan
                }
                return Reply(stored, status: isNew ? 201 : 200).showing("/v1/chains/\(name)")
            } catch let error as QueueError where error.cause == .noSuchLane {
                throw RequestError.invalid(fields: [.init(field: "links", detail: error.description)])
            }
        }
    }

    /// `POST /v1/chains/{name}/use`: new addresses of the token's account use this chain.
    func useChain(_ request: APIRequest) async throws -> Reply<ChainUsed> {
        try request.refuseParameters()
        let name = request.http.parameters["name"] ?? ""
        return try await act(request) { database in
            guard let chain = try ChainStore().current(name, on: database) else { throw RequestError.notFound }
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

extension FieldReader {
    fileprivate mutating func chain() -> Chain {
        var plan = Chain(links())
        plan.located = share("located") ?? plan.located
        plan.review = share("review") ?? plan.review
        plan.keepNotFound = integer("keep_not_found_days", in: 1...36_500) ?? plan.keepNotFound
        plan.keepFailed = integer("keep_failed_days", in: 1...36_500) ?? plan.keepFailed
        plan.sharesHouses = flag("shares_houses") ?? plan.sharesHouses
        if plan.review > plan.located, !isMistaken("review"), !isMistaken("located") {
            mistake("review", "is above located, so nothing would be reviewed")
        }
        for name in names.subtracting(Self.members).sorted() {
            mistake(name, "is no member of a chain; there are \(Self.members.joined(separator: ", "))")
        }
        return plan
    }

    private static let members = [
        "name", "links", "located", "review", "keep_not_found_days", "keep_failed_days", "shares_houses",
    ]

    private mutating func share(_ name: String) -> Double? { number(name, in: 0...1) }

    private mutating func links() -> [Chain.Link] {
        guard let list = value("links")?.list, (1...50).contains(list.count) else {
            mistake("links", "is no list of 1 to 50 links")
            return []
        }
        let links = list.compactMap(Chain.Link.init(json:))
        if links.count < list.count { mistake("links", "has one that is none: see the description") }
        return links
    }
}

extension Chain.Link {
    /// Nil unless every member is valid.
    fileprivate init?(json: JSONValue) {
        guard let members = json.object, let lane = members["lane"]?.text, lane.isName,
            Set(members.keys).isSubset(of: ["lane", "countries", "below", "stop", "steps"])
        else { return nil }
        self.init(lane)
        func given(_ name: String) -> JSONValue? { members[name].flatMap { $0 == .null ? nil : $0 } }
        if let list = given("countries") {
            let codes = list.list?.compactMap { $0.text.flatMap { Country($0)?.code } }
            guard let codes, !codes.isEmpty, codes.count == list.list?.count else { return nil }
            countries = codes
        }
        if let share = given("below") {
            guard let share = share.plainNumber, (0...1).contains(share) else { return nil }
            below = share
        }
        if let word = given("stop") {
            guard let precision = word.text.flatMap(Precision.init(rawValue:)) else { return nil }
            stopAt = precision
        }
        if let list = given("steps") {
            let read = list.list?.compactMap { $0.text.flatMap(LadderStep.init(rawValue:)) }
            guard let read, !read.isEmpty, read.count == list.list?.count else { return nil }
            steps = read
        }
    }
}
