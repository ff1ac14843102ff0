import Contacts
import Locations
import Postgres
import Terminal

struct LocationsNameCommand: ChangingCommand {
    static let name = "name"
    static let summary = "Ask what is at each place where users stayed."
    static let discussion = """
        Stays within about fifty metres are one place, and a place is asked once, for all users and accounts. The \
        questions are background work: workers put them to the providers of the chain, within the limits of the \
        lanes, after everything that somebody waits for. 'waypost locations list' shows the answers.

          waypost locations name --user ada --account app --stay 15m
        """

    @Option("--user", "USER", "Only this user's stays.") var user: String?
    @Option("--account", "NAME", "The account that owns the trackers.") var account = "default"
    @Option("--stay", "Only stays that last so long or longer.") var shortest = Duration.seconds(300)
    @Option("--chain", "NAME", "The chain to use.") var chain = "reverse"
    @Flag("--json", "Print JSON.") var json

    func run() async throws {
        let app = try await Application.forCommand()
        let number = try await app.database.run { [app, user, account] db in
            let number = try app.account(withTrackers: account, on: db)
            if let user, try TrackerStore().tracker(of: user, account: number, on: db) == nil {
                throw NoSuchTracker(account: account)
            }
            return number
        }
        let summary = try await StayNaming.work(of: user, account: number, chain: chain, shortest: shortest, in: app)
        await app.close()
        if json {
            Screen.output.writeJSON(["stays": summary.stays, "places": summary.places, "asked": summary.asked])
        } else {
            Screen.output.writeLine(summary.sentence)
        }
    }
}
