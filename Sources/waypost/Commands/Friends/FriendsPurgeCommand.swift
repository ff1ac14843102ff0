import Contacts
import Postgres
import Terminal

struct FriendsPurgeCommand: Command {
    static let name = "purge"
    static let summary = "Delete friends for good who have been gone for long."
    static let discussion = """
        Who is gone from a complete source, or was deleted over the API, is shown to nobody and kept. This deletes them \
        with their addresses, of all accounts. What providers answered stays; 'waypost cache purge' deletes that.

          waypost friends purge --older-than 30d
        """

    @Option("--older-than", "Those who have been gone for so long.", in: Duration.zero...) var age: Duration
    @Flag("--yes", "Don't ask.") var yes

    /// Large numbers go in pieces: nobody waits long for a lock, and what was done stays done.
    private static let piece = 1_000

    func run() async throws {
        let app = try await Application.forCommand()
        let count = try await app.database.run { [age] in try AddressSweep().countDeleted(olderThan: age, on: $0) }
        if count == 0 { return Screen.output.writeLine("Nobody has been gone for so long.") }
        try confirm("Delete \(Words.count(count, "friend")) for good?", isSure: yes)
        var purged = 0
        while true {
            let piece = try await app.database.run { [age] in
                try AddressSweep().purgeDeleted(olderThan: age, limit: Self.piece, on: $0)
            }
            purged += piece
            if piece < Self.piece { break }
        }
        await app.database.close()
        Screen.output.writeLine("Deleted \(Words.count(purged, "friend")).")
    }
}
