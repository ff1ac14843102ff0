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
    /// `POST /v1/rematch`: asks answered questions of the account's addresses again. Their places stay until there are
    /// better ones.
    func rematch(_ request: APIRequest) async throws -> Reply<RematchResult> {
        try request.refuseParameters()
        var fields = try await request.fields()
        let (selection, isDry) = fields.rematch(of: request.caller.account)
        try fields.finish()
        let database = try backend.adminDatabase(of: request.caller.account)
        if let chain = selection.chain {
            guard try await database.run({ try ChainStore().current(chain, on: $0) }) != nil else {
                throw RequestError.invalid(fields: [.init(field: "chain", detail: "is no chain that there is")])
            }
        }
        let rematch = Rematch(selection)
        let outlook = try await rematch.outlook(on: database)
        let asked = isDry ? 0 : try await rematch.run(outlook, by: request.caller.author, on: database)
        return Reply(RematchResult(outlook, asked: asked, isDry: isDry))
    }

    /// `POST /v1/friends/{id}/rematch`: the same for one friend's located addresses, ahead of background work.
    func rematchFriend(_ request: APIRequest) async throws -> Reply<AskedAddresses> {
        try await ask(request) { id, account, database in
            try FriendEditor().rematch(friend: id, account: account, by: request.caller.author, on: database)
        }
    }
}

extension FieldReader {
    fileprivate mutating func rematch(of account: Int) -> (RematchSelection, isDry: Bool) {
        var selection = RematchSelection(account: account)
        let (provider, chain, precision, status) = (text("provider"), text("chain"), text("precision"), text("status"))
        selection.answers.provider = provider.isEmpty ? nil : provider
        selection.chain = chain.isEmpty ? nil : chain
        selection.answers.precision = Precision(rawValue: precision)
        if !precision.isEmpty, selection.answers.precision == nil, !isMistaken("precision") {
            mistake("precision", "is none of \(Precision.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let answered: [GeocodeStatus] = [.located, .needsReview, .notFound, .failed]
        let known = answered.first { $0.rawValue == status }
        selection.answers.status = known ?? .located
        if !status.isEmpty, known == nil, !isMistaken("status") {
            mistake("status", "is none of located, needs_review, not_found, failed")
        }
        selection.countries = countries()
        selection.answers.isWeak = flag("weak") ?? false
        selection.answers.below = number("below", in: 0...1)
        let seconds = integer("older_seconds", in: 1...3_162_240_000)
        selection.answers.age = seconds.map { .seconds($0) }
        selection.limit = integer("limit", in: 1...1_000_000_000)
        let (isAll, isDry) = (flag("all") ?? false, flag("dry_run") ?? false)
        let isFiltered =
            !provider.isEmpty || !precision.isEmpty || !status.isEmpty || !selection.countries.isEmpty
            || selection.answers.isWeak || selection.answers.below != nil || seconds != nil
        let filters = ["provider", "precision", "status", "countries", "weak", "below", "older_seconds", "all"]
        if isAll == isFiltered, !filters.contains(where: isMistaken) {
            mistake("all", "is to be true where there is no filter, and only there")
        }
        return (selection, isDry)
    }

    private mutating func countries() -> [String] {
        guard let given = value("countries"), given != .null else { return [] }
        let codes = given.list?.compactMap { $0.text.flatMap { Country($0)?.code } }
        guard let codes, codes.count == given.list?.count else {
            mistake("countries", "is no list of countries, each by its code")
            return []
        }
        return codes
    }
}
