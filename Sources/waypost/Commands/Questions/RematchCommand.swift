import Contacts
import Geocoding
import Postgres
import Processes
import Questions
import Shapes
import Terminal

struct RematchCommand: ChangingCommand {
    static let name = "rematch"
    static let summary = "Ask answered questions again, to get better answers."
    static let discussion = """
        The old place stays until a better one is there: an answer that is not better changes nothing, and what a person \
        decided is never asked. Give a filter; --country may be repeated:

          waypost rematch --weak --country DE --provider gazetteer --account family --dry-run

        It says first what the calls cost, and asks for confirmation. The questions go from the beginning of the chain \
        of their account, or of --chain, as background work; those of a --friend before it, and without a question. \
        Where no cluster runs, it starts the private one of the folder, and waits for the answers.
        """

    @Option("--friend", "ID", "Only the located addresses of this friend, at once.", in: 1...) var friend: Int?
    @Option("--account", "NAME", "Only addresses of this account.") var account: String?
    @Option("--country", "Only addresses in this country.") var countries: [Country] = []
    @Option("--provider", "PROVIDER", "Only answers of this provider.") var provider: String?
    @Option("--precision", "PRECISION", "Only answers of this precision.") var precision: Precision?
    @Option("--status", "STATUS", "Only answers with this status; by default, located.") var status: GeocodeStatus?
    @Flag("--weak", "Only answers that are coarser than what was asked, such as the town of a house.") var weak
    @Option("--below", "Only answers whose confidence is less.", in: 0.0...1.0) var below: Double?
    @Option("--older-than", "Only answers at least so old.", in: Duration.milliseconds(1)...) var older: Duration?
    @Option("--chain", "NAME", "The chain to ask along; by default that of the account.") var chain: String?
    @Option("--limit", "N", "Ask at most N questions.", in: 1...) var limit: Int?
    @Flag("--all", "All located addresses.") var all
    @Flag("-n", "--dry-run", "Only print how many questions, calls, time and money it would take.") var isDryRun
    @Flag("--progress", "Only print how many questions are being asked again.") var showsProgress
    @Flag("--yes", "Don't ask for confirmation.") var yes
    @Flag("--json", "Print JSON.") var json

    var changes: Bool { !isDryRun && !showsProgress }

    private var isFiltered: Bool {
        account != nil || !countries.isEmpty || provider != nil || precision != nil || status != nil || weak
            || below != nil || older != nil
    }

    func run() async throws {
        if showsProgress { return try await showProgress() }
        try check()
        if isDryRun {
            let outlook = try await Application.withDatabase { app in
                try await Rematch(selection(in: app)).outlook(terms: app.withPoints().terms, on: app.database)
            }
            if json { return Screen.output.writeJSON(RematchResult(outlook, asked: 0, isDry: true)) }
            return outlook.write(to: .output)
        }
        if let friend { return try await ask(friend: friend) }
        let (outlook, asked) = try await Application.withCluster(workers: 2) { app in
            let rematch = Rematch(try await selection(in: app))
            let outlook = try await rematch.outlook(terms: app.withPoints().terms, on: app.database)
            if !json { outlook.write(to: .errors) }
            guard outlook.questions > 0 else { return (outlook, 0) }
            try confirm("Ask \(Words.count(outlook.questions, "question")) again?", isSure: yes)
            let asked = try await rematch.run(outlook, by: .current, on: app.database)
            try await app.waitForShadows()
            return (outlook, asked)
        }
        if json { return Screen.output.writeJSON(RematchResult(outlook, asked: asked, isDry: false)) }
        if outlook.questions > 0 {
            Screen.output.writeLine(
                "\(Words.count(asked, "question is", "questions are")) asked again. Places stay until better ones are "
                    + "there; 'waypost rematch --progress' shows how many are left.")
        }
    }

    private func check() throws(UsageError) {
        guard friend == nil else {
            if isFiltered || chain != nil || limit != nil || all {
                throw UsageError("--friend is about all located addresses of one friend, without another filter")
            }
            return
        }
        if isFiltered, all { throw UsageError("a filter and --all exclude each other") }
        if !isFiltered, !all {
            throw UsageError("give a filter, such as --weak, --below 0.8 or --provider NAME, or --all")
        }
        guard [nil, .located, .needsReview, .notFound, .failed].contains(status) else {
            throw UsageError("--status takes located, needs_review, not_found or failed")
        }
    }

    private func selection(in app: Application) async throws -> RematchSelection {
        if let friend { return RematchSelection(friend: friend) }
        let account = try await app.database.run { [app, account, chain] db in
            if let chain { _ = try app.questions.chain(chain, on: db) }
            return try account.map { name in
                guard let number = try app.contacts.account(named: name, on: db) else {
                    throw Failure.noAccount(name)
                }
                return number
            }
        }
        let answers = AnswerFilter(
            provider: provider, status: status, precision: precision, isWeak: weak, below: below, age: older)
        return RematchSelection(
            answers, account: account, countries: countries.map(\.code), chain: chain, limit: limit)
    }

    private func ask(friend: Int) async throws {
        let count = try await Application.withCluster(workers: 2) { app in
            let count = try await app.database.transaction { db in
                try app.contacts.account(ofFriend: friend, on: db).flatMap { account in
                    try FriendEditor().rematch(friend: friend, account: account.id, by: .current, on: db)
                }
            }
            try await app.waitForShadows()
            return count
        }
        guard let count else { throw Failure.noFriend(friend) }
        if json { return Screen.output.writeJSON(["asked": count]) }
        Screen.output.writeLine(
            count == 0
                ? "No address of friend \(friend) can be asked again: none is located by a provider, or it is being asked."
                : "\(Words.count(count, "address is", "addresses are")) asked again, before background work. "
                    + "The old places stay until better ones are there.")
    }

    private func showProgress() async throws {
        let count = try await Application.asking(.folder) { app, db in try app.geocodes.countShadows(on: db) }
        if json { return Screen.output.writeJSON(["under_way": count]) }
        Screen.output.writeLine(
            count == 0
                ? "No question is being asked again."
                : "\(Words.count(count, "question is", "questions are")) being asked again.")
    }
}

extension Application {
    /// Waits until no question is being asked again, if the private cluster ends with the command.
    fileprivate func waitForShadows() async throws {
        guard cluster == .passing else { return }
        func count() async throws -> Int {
            try await database.run { [geocodes] in try geocodes.countShadows(on: $0) }
        }
        let total = try await count()
        var left = total
        var bar = ProgressBar("Asking again", total: total)
        defer { bar.erase() }
        while left > 0 {
            bar.update(done: max(0, total - left))
            try await Task.sleep(for: .milliseconds(200))
            left = try await count()
        }
    }
}

extension Precision: OptionValue {}

extension Rematch.Outlook {
    fileprivate func write(to screen: Screen) {
        let known = underWay == 0 ? "" : " \(Readable.count(underWay)) are being asked again already."
        guard questions > 0 else { return screen.writeLine("There is nothing to ask again.\(known)") }
        screen.writeLine("\(Words.count(questions, "question")) to ask again.\(known)")
        forecast.write(to: screen)
    }
}
