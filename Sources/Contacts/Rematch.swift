package import Geocoding
package import Postgres
package import Questions
package import Queue

/// Asks answered questions of addresses again, to get better answers. The old place stays until there is a better one.
package struct Rematch: Sendable {
    private let selection: RematchSelection
    private let questions = QuestionQueue()

    /// The number of addresses that one transaction reads.
    private static let pageSize = 1_000

    /// The cost of asking again.
    package struct Outlook: Sendable {
        /// Questions that would be asked.
        package var questions = 0
        /// Questions that are being asked again already.
        package var underWay = 0
        package let forecast: Forecast
    }

    package init(_ selection: RematchSelection) {
        self.selection = selection
    }

    /// Returns the cost of asking. Writes nothing. `terms` are those of the lanes' providers.
    package func outlook(
        terms: [String: ProviderTerms] = [:], on database: some DatabaseAccess
    ) async throws -> Outlook {
        var walk = Walk(selection)
        var loads: [String: ChainLoad] = [:]
        var underWay: Set<Int> = []
        while true {
            let (page, chains) = try await database.transaction(within: nil) { [walk, questions] db in
                let page = try walk.page(Self.pageSize, on: db)
                let names = Set(page.map(\.chain))
                return (page, try names.map { (name: $0, plan: try questions.chain($0, on: db).plan) })
            }
            for (name, plan) in chains where loads[name] == nil { loads[name] = ChainLoad(along: plan) }
            let (new, known) = walk.select(page)
            for address in new { loads[address.chain]?.add(inCountry: address.country) }
            underWay.formUnion(known)
            if walk.isAtEnd(page, Self.pageSize) { break }
        }
        let lanes = try await database.transaction(within: nil) { try JobQueue().lanes(on: $0).map(\.outlook) }
        return Outlook(
            questions: walk.count, underWay: underWay.count,
            forecast: Forecast(
                loads.sorted { $0.key < $1.key }.map(\.value), lanes: lanes, terms: terms))
    }

    /// Asks page by page. The log contains one act with the total number, written with the first page. Returns how many
    /// it asked.
    package func run(
        _ outlook: Outlook, by author: Author, on database: some DatabaseAccess
    ) async throws -> Int {
        guard outlook.questions > 0 else { return 0 }
        var walk = Walk(selection)
        var asked = 0
        var isFirst = true
        while true {
            let (page, next, count) = try await database.transaction(within: nil) { [walk, isFirst] db in
                if isFirst {
                    try AuditLog().append(.askAnew, after: selection.words(of: outlook.questions), by: author, on: db)
                }
                let page = try walk.page(Self.pageSize, on: db)
                var next = walk
                let new = next.select(page).new
                return (page, next, try ask(new, priority: .idle, on: db))
            }
            (walk, asked, isFirst) = (next, asked + count, false)
            if walk.isAtEnd(page, Self.pageSize) { return asked }
        }
    }

    /// Asks the questions of one friend ahead of background work, and writes the act to the log, in one transaction.
    /// Returns how many.
    func runNow(by author: Author, on database: isolated Connection) throws -> Int {
        var walk = Walk(selection)
        var asked = 0
        while true {
            let page = try walk.page(Self.pageSize, on: database)
            asked += try ask(walk.select(page).new, priority: .now, on: database)
            if walk.isAtEnd(page, Self.pageSize) { break }
        }
        if asked > 0 { try AuditLog().append(.askAnew, after: selection.words(of: asked), by: author, on: database) }
        return asked
    }

    private func ask(
        _ addresses: [Rematchable], priority: Priority, on database: isolated Connection
    ) throws -> Int {
        let chains = Dictionary(grouping: addresses, by: \.chain).sorted { $0.key < $1.key }
        return try chains.reduce(0) { count, own in
            try count
                + questions.rematch(
                    own.value.map { (id: $0.question, country: $0.country) }, along: own.key, priority: priority,
                    on: database)
        }
    }
}

/// Walks through the addresses, each question once.
private struct Walk {
    let selection: RematchSelection
    private(set) var count = 0
    private var last = 0
    private var seen: Set<Int> = []

    init(_ selection: RematchSelection) {
        self.selection = selection
    }

    func page(_ size: Int, on database: isolated Connection) throws -> [Rematchable] {
        try selection.addresses(after: last, limit: size, on: database)
    }

    /// Returns the addresses whose questions occur for the first time and are to be asked, and the questions that are
    /// being asked already.
    mutating func select(_ page: [Rematchable]) -> (new: [Rematchable], underWay: [Int]) {
        last = page.last?.address ?? last
        var new: [Rematchable] = []
        for address in page where !address.isUnderWay && count < selection.limit ?? .max {
            guard seen.insert(address.question).inserted else { continue }
            new.append(address)
            count += 1
        }
        return (new, page.filter(\.isUnderWay).map(\.question))
    }

    func isAtEnd(_ page: [Rematchable], _ size: Int) -> Bool {
        page.count < size || count >= selection.limit ?? .max
    }
}

extension FriendEditor {
    /// Asks the located addresses of a friend again, ahead of background work, while their places stay. Returns how
    /// many; nil if the friend does not exist.
    package func rematch(
        friend: Int, account: Int, by author: Author, on database: isolated Connection
    ) throws -> Int? {
        try database.transaction { database in
            guard try isThere(friend, account: account, on: database) else { return nil }
            return try Rematch(RematchSelection(account: account, friend: friend)).runNow(by: author, on: database)
        }
    }
}
