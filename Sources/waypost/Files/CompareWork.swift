import Contacts
import Formats
import Geocoding
import Postgres
import Questions
import Queue
import Terminal
import Wording

/// Asks the addresses of a file along two chains, separately from all other questions, and compares the results.
///
/// The questions are deleted at the end. Until then they are stored, so an interrupted command can resume.
struct CompareWork: Sendable {
    let source: Source
    let chains: [String]
    let output: String?
    let isSure: Bool
    let isDry: Bool
    /// The output for the forecast.
    let screen: Screen

    /// How many questions are asked or read at a time.
    private static let pieceSize = 1_000

    /// Nil for a dry run.
    func run(in app: Application) async throws -> ChainComparison? {
        let asked = try read()
        let distinct = Array(Set(asked.map(\.address)))
        let chains = try await app.database.run { [chains] db in
            try chains.map { try app.questions.chain($0, on: db).apart }
        }
        try await foretell(asked.count, distinct, along: chains, in: app)
        if isDry { return nil }
        if !distinct.isEmpty { try confirm("Ask them along both chains?", isSure: isSure) }
        let questions = chains.map { chain in
            distinct.map { Question($0, hash: AddressHash($0).apart(alongChain: chain.id), looseKey: LooseKey($0)) }
        }
        for (chain, own) in zip(chains, questions) {
            for piece in own.pieces(of: Self.pieceSize) {
                try await app.database.transaction { _ = try app.questions.ask(piece, along: chain, on: $0) }
            }
        }
        let hashes = questions.flatMap { $0.map(\.hash) }
        try await wait(for: hashes, along: chains, in: app)
        var ends: [AddressHash: (status: GeocodeStatus, place: GradedCandidate?)] = [:]
        for piece in hashes.pieces(of: Self.pieceSize) {
            try await app.database.run { try app.geocodes.standings(piece, on: $0) }.forEach { ends[$0] = $1 }
        }
        let rows = asked.map { asked in
            ChainComparison.Row(
                line: asked.line, position: asked.position,
                ends: chains.map { chain in
                    ends[AddressHash(asked.address).apart(alongChain: chain.id)].map {
                        ChainComparison.End(status: $0.status, place: $0.place)
                    } ?? ChainComparison.End(status: .failed, place: nil)
                }, located: chains[0].plan.located)
        }
        let comparison = ChainComparison(chains: chains.map(\.name), distinct: distinct.count, rows: rows)
        if let output { try comparison.write(to: output) }
        for piece in hashes.pieces(of: Self.pieceSize) {
            try await app.database.transaction { try app.geocodes.drop(piece, on: $0) }
        }
        return comparison
    }

    private func read() throws -> [(line: Int, position: Int, address: Address)] {
        guard case .file(let path) = source.place else { throw UsageError("chains compare is for a file") }
        var reader = try source.open(path)
        var asked: [(line: Int, position: Int, address: Address)] = []
        while let entry = try reader.next() {
            guard case .contact(let line, let friend) = entry else { continue }
            for (index, labelled) in friend.addresses.enumerated() {
                asked.append((line: line, position: index + 1, address: labelled.address))
            }
        }
        return asked
    }

    private func foretell(
        _ count: Int, _ distinct: [Address], along chains: [StoredChain], in app: Application
    ) async throws {
        let loads = chains.map { chain in
            var load = ChainLoad(along: chain.plan)
            for address in distinct { load.add(address) }
            return load
        }
        let lanes = try await app.database.run { try app.queue.lanes(on: $0).map(\.outlook) }
        screen.writeLine(
            "\(Words.count(count, "address", "addresses")), \(Readable.count(distinct.count)) of them distinct, along "
                + "\(chains.map(\.name).joined(separator: " and along ")):")
        Forecast(loads, lanes: lanes, terms: app.terms).write(to: screen)
    }

    private func wait(for hashes: [AddressHash], along chains: [StoredChain], in app: Application) async throws {
        let own = Set(chains.flatMap { $0.plan.links.map(\.lane) })
        var bar = ProgressBar("Asking", total: hashes.count)
        defer { bar.erase() }
        var teller = WaitTeller()
        var done = 0
        for piece in hashes.pieces(of: Self.pieceSize) {
            while true {
                let (waiting, waits) = try await app.database.run { db in
                    let waiting = try app.geocodes.waiting(among: piece, on: db).count
                    let lanes = waiting == 0 ? [] : try app.queue.lanes(on: db).filter { own.contains($0.lane) }
                    let isAlone = waiting > 0 ? try app.registry.workers(on: db).isEmpty : false
                    return (waiting, isAlone ? [.nobody] : lanes.compactMap(LaneWait.init))
                }
                bar.update(
                    done: done + piece.count - waiting, label: teller.tell(waits, at: .now).joined(separator: "; "))
                if waiting == 0 { break }
                try await Task.sleep(for: .milliseconds(200))
            }
            done += piece.count
        }
    }
}

extension Array {
    fileprivate func pieces(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
