import Geocoding
import Questions
import Queue
import Terminal

struct ChainsSetCommand: ChangingCommand {
    static let name = "set"
    static let summary = "Create a chain, or change it for new questions."
    static let discussion = """
        A LINK is a lane and its conditions, in quotes where a step has a space:

          LANE[:countries=DE,AT][:below=0.6][:stop=rooftop][:steps=structured,free form]

        It is called only for addresses in these countries, and only while the best area confidence so far is less than \
        `below`. An answer coarser than `stop` does not end the question. `steps` are the steps that may be paid \
        for. If the chain exists, what you leave out keeps its value, the links too:

          waypost chains set default gazetteer:stop=rooftop nominatim:below=0.8 --located 0.7
        """

    @Argument("NAME", "The chain.") var chain: String
    @Argument("LINK", "The lanes to call, in this order.") var links: [String] = []
    @Option("--located", "The least area confidence of an answer that is taken.", in: 0.0...1.0) var located: Double?
    @Option("--review", "The least area confidence of an answer that a person reviews.", in: 0.0...1.0)
    var review: Double?
    @Option("--keep-not-found", "DAYS", "How long the answer 'not found' is kept.", in: 1...36_500)
    var keepNotFound: Int?
    @Option("--keep-failed", "DAYS", "When a failed question is asked again.", in: 1...36_500)
    var keepFailed: Int?
    @Flag("--shared-houses", "Share one answer among the units of a house.") var sharesHouses
    @Flag("--no-shared-houses", "Ask each unit of a house by itself.") var asksForUnits

    func run() async throws {
        let links = try readLinks()
        let (stored, terms) = try await Application.asking(.folder) { [self] app, db in
            let stored = try app.questions.setChain(chain, by: .current, on: db) { known in
                // A chain needs a link, so a new chain can't be created without one.
                if known == nil, links.isEmpty { throw NoSuchChain(name: chain) }
                var plan = known?.plan ?? Chain(links)
                try apply(links, to: &plan)
                return plan
            }
            let terms = stored.plan.links.flatMap { TermsOfUse.of($0.lane, in: app) }
            return (stored, terms.map { $0.terms.sentence(of: $0.title) })
        }
        Screen.output.writeLine(stored.command)
        for sentence in terms { Screen.errors.writeLine(sentence) }
    }

    /// Finds wrong arguments before the database is used.
    private func readLinks() throws(UsageError) -> [Chain.Link] {
        guard chain.isName else {
            throw UsageError("a chain's name has small letters, digits, - and _, 60 at most, not \"\(chain)\"")
        }
        if sharesHouses, asksForUnits {
            throw UsageError("--shared-houses and --no-shared-houses contradict each other")
        }
        let nothing =
            links.isEmpty && located == nil && review == nil && keepNotFound == nil && keepFailed == nil
            && !sharesHouses && !asksForUnits
        if nothing { throw UsageError("give one LINK or more, or an option, for example --located 0.7") }
        var read: [Chain.Link] = []
        for words in links { read.append(try Chain.Link(words: words)) }
        return read
    }

    private func apply(_ links: [Chain.Link], to plan: inout Chain) throws(UsageError) {
        if !links.isEmpty { plan.links = links }
        plan.located = located ?? plan.located
        plan.review = review ?? plan.review
        plan.keepNotFound = keepNotFound ?? plan.keepNotFound
        plan.keepFailed = keepFailed ?? plan.keepFailed
        if sharesHouses || asksForUnits { plan.sharesHouses = sharesHouses }
        if plan.review > plan.located {
            throw UsageError("--review \(plan.review) is above --located \(plan.located); nothing would be reviewed")
        }
    }
}
