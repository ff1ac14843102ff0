import Contacts
import Postgres
import Terminal
import Wording

struct FriendsPurgeCommand: ChangingCommand {
    static let name = "purge"
    static let summary = "Delete soft-deleted friends for good."
    static let discussion = """
        Friends missing from a complete source, or deleted over the API, are hidden but kept. This deletes them \
        with their addresses, of all accounts. Answers of providers stay; 'waypost cache purge' deletes those.

          waypost friends purge --older-than 30d
        """

    @Option("--older-than", "Only friends soft-deleted at least so long ago.", in: Duration.zero...) var age: Duration
    @Flag("--yes", "Don't ask for confirmation.") var yes

    func run() async throws {
        let app = try await Application.forCommand()
        let count = try await app.database.run { [age] in try AddressSweep().countDeleted(olderThan: age, on: $0) }
        if count == 0 { return Screen.output.writeLine("No friend was soft-deleted so long ago.") }
        try confirm("Delete \(Words.count(count, "friend")) for good?", isSure: yes)
        let purged = try await AddressSweep().purgeDeleted(olderThan: age, by: .current, on: app.database)
        await app.close()
        Screen.output.writeLine("Deleted \(Words.count(purged, "friend")).")
    }
}
