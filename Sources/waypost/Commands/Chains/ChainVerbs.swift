import Contacts
import Geocoding
import Processes
import Questions
import Queue
import Shapes
import Terminal

enum ChainVerbs {
    static let group = Node.group(
        "chains", "See and set the chains: which providers are called, in which order.",
        [list, show, set, use, report])

    private struct OneChain: VerbInput {
        @Argument("NAME", "The chain.") var chain: String
    }

    private static let list = Node.list(
        "list", NoInput.self, "Show the chains: which providers are called, in which order.", in: .folder,
        look: { _, _, db in try ChainStore().all(on: db) }, as: { $0 },
        [
            .left("CHAIN") { $0.name }, .right("LOCATED") { "\($0.plan.located)" },
            .right("REVIEW") { "\($0.plan.review)" }, .right("KEEP NOT FOUND") { "\($0.plan.keepNotFound) d" },
            .right("KEEP FAILED") { "\($0.plan.keepFailed) d" },
            .left("HOUSES") { $0.plan.sharesHouses ? "shared" : "" },
            .left("LINKS") { $0.plan.links.map(\.words).joined(separator: ", then ") },
        ])

    private static let show = Node.show(
        "show", OneChain.self, "Show a chain as the command that creates it.", in: .folder,
        look: { input, app, db in try app.questions.chain(input.chain, on: db) }, as: { $0 },
        write: { $1.writeLine($0.command) })

    private struct NewChain: VerbInput {
        @Argument("NAME", "The chain.") var chain: String
        @Argument("LINK", "The lanes to call, in this order.") var links: [String] = []
        @Option("--located", "The least area confidence of an answer that is taken.", in: 0.0...1.0) var located:
            Double?
        @Option("--review", "The least area confidence of an answer that a person reviews.", in: 0.0...1.0)
        var review: Double?
        @Option("--keep-not-found", "DAYS", "How long the answer 'not found' is kept.", in: 1...36_500)
        var keepNotFound: Int?
        @Option("--keep-failed", "DAYS", "When a failed question is asked again.", in: 1...36_500)
        var keepFailed: Int?
        @Option(
            "--pause", "The least time between two calls for one address, such as 1m; 0s for none.",
            in: .zero...(.seconds(86_400)))
        var pause: Duration?
        @Option("--line", "ORDER", "The order of an address on one line: 'postcode_first' or 'city_first'.")
        var lineOrder: Query.LineOrder?
        @Flag("--shared-houses", "Share one answer among the units of a house.") var sharesHouses
        @Flag("--no-shared-houses", "Ask each unit of a house by itself.") var asksForUnits

        func check() throws {
            guard chain.isName else {
                throw UsageError("a chain's name has small letters, digits, - and _, 60 at most, not \"\(chain)\"")
            }
            if sharesHouses, asksForUnits {
                throw UsageError("--shared-houses and --no-shared-houses contradict each other")
            }
            let nothing =
                links.isEmpty && located == nil && review == nil && keepNotFound == nil && keepFailed == nil
                && pause == nil && lineOrder == nil && !sharesHouses && !asksForUnits
            if nothing { throw UsageError("give one LINK or more, or an option, for example --located 0.7") }
            _ = try readLinks()
        }

        func readLinks() throws(UsageError) -> [Chain.Link] {
            var read: [Chain.Link] = []
            for words in links { read.append(try Chain.Link(words: words)) }
            return read
        }

        func apply(to plan: inout Chain) throws(UsageError) {
            let links = try readLinks()
            if !links.isEmpty { plan.links = links }
            plan.located = located ?? plan.located
            plan.review = review ?? plan.review
            plan.keepNotFound = keepNotFound ?? plan.keepNotFound
            plan.keepFailed = keepFailed ?? plan.keepFailed
            plan.pauseSeconds = pause.map { Int($0.components.seconds) } ?? plan.pauseSeconds
            plan.lineOrder = lineOrder ?? plan.lineOrder
            if sharesHouses || asksForUnits { plan.sharesHouses = sharesHouses }
            if plan.review > plan.located {
                throw UsageError(
                    "--review \(plan.review) is above --located \(plan.located); nothing would be reviewed")
            }
        }
    }

    private static let set = Node.act(
        "set", NewChain.self, "Create a chain, or change it for new questions.",
        """
        A LINK is a lane and its conditions, in quotes where a step has a space:

          LANE[:countries=DE,AT][:below=0.6][:stop=rooftop][:steps=structured,free form]

        It is called only for addresses in these countries, and only while the best area confidence so far is less than \
        `below`. An answer coarser than `stop` does not end the question. `steps` are the steps that may be paid \
        for. If the chain exists, what you leave out keeps its value, the links too:

          waypost chains set default gazetteer:stop=rooftop nominatim:below=0.8 --located 0.7
        """, in: .folder
    ) { input, app, db in
        let stored = try app.questions.setChain(input.chain, by: .current, on: db) { known in
            // A chain needs a link, so a new chain can't be created without one.
            if known == nil, input.links.isEmpty { throw NoSuchChain(name: input.chain) }
            var plan = try known?.plan ?? Chain(input.readLinks())
            try input.apply(to: &plan)
            return plan
        }
        let terms = stored.plan.links.flatMap { TermsOfUse.of($0.lane, in: app) }
        return Report([stored.command], notes: terms.map { $0.terms.sentence(of: $0.title) })
    }

    private struct Use: VerbInput {
        @Argument("NAME", "The chain.") var chain: String
        @Option("--account", "NAME", "The account.") var account: String
    }

    private static let use = Node.act(
        "use", Use.self, "Set the chain for new addresses of an account.", in: .folder
    ) { input, app, db in
        _ = try app.questions.chain(input.chain, on: db)
        guard try app.contacts.use(chain: input.chain, for: input.account, by: .current, on: db) else {
            throw Failure.noAccount(input.account)
        }
        return "New addresses of \(input.account) go along chain \(input.chain) now."
    }

    private struct Reported: VerbInput {
        @Argument("CHAIN", "The chain; without it, all of them.") var chain = ""
    }

    private static let report = Node.show(
        "report", Reported.self, "Show what each lane of a chain found, and what that cost.",
        """
        ASKED are the questions for which the lane was called. Of these it RESOLVED some, others only coarser than asked \
        (WEAK); SHARE is both of ASKED. CALLS counts each question and each way to put it: where a call carries several \
        questions, fewer requests were sent. COST is by the lane's price now, with full requests.

        It is about questions whose answers are kept, also those asked before the chain was changed. Calls repeated after \
        faults are not in it, nor those for answers that were deleted or have expired.
        """, in: .folder,
        look: { input, app, db in
            let chains =
                input.chain.isEmpty ? try ChainStore().all(on: db) : [try app.questions.chain(input.chain, on: db)]
            return try chains.map { try app.questions.report(on: $0, on: db) }
        }, as: { $0 },
        write: { reports, screen in
            let rows = reports.flatMap { report in report.links.map { (chain: report.chain, link: $0) } }
            Table(reportColumns, of: rows).write(to: screen)
            let count = reports.map(\.questions).reduce(0, +)
            screen.writeLine(
                "Of \(Words.count(count, "question")) whose answers are kept. Calls repeated after faults, and for "
                    + "answers that are gone, are not in it.")
        })

    private static let reportColumns: [TableColumn<(chain: String, link: ChainReport.Link)>] = [
        .left("CHAIN") { $0.chain }, .left("LANE") { $0.link.lane },
        .right("ASKED") { Readable.count($0.link.asked) }, .right("RESOLVED") { Readable.count($0.link.resolved) },
        .right("WEAK") { Readable.count($0.link.weak) },
        .right("SHARE") { $0.link.share.map { "\(Int(clamping: $0 * 100)) %" } ?? "-" },
        .right("CALLS") { Readable.count($0.link.calls) }, .left("COST") { $0.link.costText },
    ]
}

extension Query.LineOrder: OptionValue {}

extension ChainReport.Link {
    fileprivate var costText: String {
        guard let cost, let price else { return "unknown" }
        return "\(Money.text(cost)) \(price.currency)"
    }
}
