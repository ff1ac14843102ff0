import Contacts
import Locations
import Terminal
import Wording

struct LocationsRetryCommand: ChangingCommand {
    static let name = "retry"
    static let summary = "Upload now what waits after a failure, and once more what the sink refused."

    @Option("--user", "USER", "Only this user's locations.") var user: String?
    @Option("--account", "NAME", "The account that owns the trackers.") var account = "default"

    func run() async throws {
        let refused = try await Application.asking { [user, account] app, db in
            let number = try app.account(withTrackers: account, on: db)
            if let user, try TrackerStore().tracker(of: user, account: number, on: db) == nil {
                throw NoSuchTracker(account: account)
            }
            return try UploadStore().retry(user: user, account: number, on: db)
        }
        Screen.output.writeLine(
            "Uploads that waited after a failure are due now. \(Words.count(refused, "location")) that the sink had refused "
                + "will be sent once more.")
    }
}
