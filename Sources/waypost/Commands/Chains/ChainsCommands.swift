import Contacts
import Geocoding
import Questions
import Queue
import Shapes
import Terminal

struct ChainsListCommand: Command {
    static let name = "list"
    static let summary = "Show the chains: which providers are called, in which order."

    let look = WatchOptions()

    func run() async throws {
        try await look.show(in: .folder, { _, db in try ChainStore().all(on: db) }, as: { $0 }) {
            chains, screen in
            var table = Table(
                .left("CHAIN"), .right("LOCATED"), .right("REVIEW"), .right("KEEP NOT FOUND"), .right("KEEP FAILED"),
                .left("HOUSES"), .left("LINKS"))
            for chain in chains {
                let plan = chain.plan
                table.add(
                    chain.name, "\(plan.located)", "\(plan.review)", "\(plan.keepNotFound) d", "\(plan.keepFailed) d",
                    plan.sharesHouses ? "shared" : "", plan.links.map(\.words).joined(separator: ", then "))
            }
            table.write(to: screen)
        }
    }
}

struct ChainsShowCommand: Command {
    static let name = "show"
    static let summary = "Show a chain as the command that creates it."

    @Argument("NAME", "The chain.") var chain: String
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let chain = try await Application.asking(.folder) { [chain] app, db in try app.questions.chain(chain, on: db) }
        if json { return Screen.output.writeJSON(chain) }
        Screen.output.writeLine(chain.command)
    }
}

struct ChainsUseCommand: ChangingCommand {
    static let name = "use"
    static let summary = "Set the chain for new addresses of an account."

    @Argument("NAME", "The chain.") var chain: String
    @Option("--account", "NAME", "The account.") var account: String

    func run() async throws {
        try await Application.asking(.folder) { [chain, account] app, db in
            _ = try app.questions.chain(chain, on: db)
            guard try app.contacts.use(chain: chain, for: account, by: .current, on: db) else {
                throw NoSuchAccount(name: account)
            }
        }
        Screen.output.writeLine("New addresses of \(account) go along chain \(chain) now.")
    }
}

struct NoSuchAccount: Error, CustomStringConvertible {
    let name: String
    var creator = "waypost import --account"
    var description: String { "there is no account called \"\(name)\"; '\(creator)' creates it" }
}
