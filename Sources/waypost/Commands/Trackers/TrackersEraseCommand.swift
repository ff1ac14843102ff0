import Contacts
import Locations
import Postgres
import Terminal
import Wording

struct TrackersEraseCommand: ChangingCommand {
    static let name = "erase"
    static let summary = "Delete all that is known of a user's positions, and the tracker."
    static let discussion = """
        All of it goes in one transaction; afterwards the rows that are left are counted in another one. Backups and \
        WAL archives that were made before still hold the positions until they are deleted. So does the sink to which they were uploaded.
        """

    @Argument("USER", "What the account calls the user.") var user: String
    @Option("--account", "NAME", "The account that owns the tracker.") var account = "default"
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func run() async throws {
        let app = try await Application.forCommand()
        let counts = try await app.database.run { [app, user, account] db in
            try TrackerStore().count(of: user, account: app.account(withTrackers: account, on: db), on: db)
        }
        guard let counts else { throw NoSuchTracker(account: account) }
        let what = "\(Words.count(counts.fixes, "fix", "fixes")) and \(Words.count(counts.locations, "location"))"
        try confirm("Delete \(what) of this user, and the tracker, for good?", isSure: yes)

        // Otherwise a worker could upload locations after the erasure.
        try await app.stopTracking(of: user, account: account)
        let erased = try await app.database.transaction { [app, user, account] db in
            try TrackerStore().erase(
                user, account: app.account(withTrackers: account, on: db), by: .current, on: db)
        }
        // Another command has erased the tracker meanwhile.
        guard let erased else { throw NoSuchTracker(account: account) }
        Screen.output.writeLine(
            "Deleted the tracker, \(Words.count(erased.fixes, "fix", "fixes")) and "
                + "\(Words.count(erased.locations, "location")).")
        let left = try await app.database.transaction { try TrackerStore().countLeft(of: erased, on: $0) }
        await app.close()
        guard left == 0 else { throw RowsAreLeft(count: left) }
        Screen.output.writeLine("Counted again: 0 rows are left.")
        Screen.errors.writeLine(
            "Backups and WAL archives that were made before still hold these positions until they are deleted.")
    }
}

private struct RowsAreLeft: Error, CustomStringConvertible {
    let count: Int
    var description: String { "counted again: \(Words.count(count, "row is", "rows are")) left of this user" }
}
