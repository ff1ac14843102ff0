import Cluster
import Terminal

struct ForgetCommand: Command {
    static let name = "forget"
    static let summary = "Delete everything that the private cluster of this folder keeps."
    static let discussion = """
        Deletes the contacts, the answers, and all settings of .waypost for good. If root runs Waypost, they may be in \
        /var/lib/waypost, and are deleted there. Your own files stay. A database of DATABASE_URL is not touched. To take \
        a single import back: waypost import SOURCE --undo. To delete the contacts of one file that was geocoded: \
        waypost accounts delete FILE.
        """

    @Flag("--yes", "Don't ask for confirmation.") var yes

    func run() async throws {
        let folder = try Settings.current().folder
        let places = folder.places
        if places.isEmpty { return Screen.output.writeLine("Nothing is kept in \(folder.path).") }
        try confirm(
            "Delete all contacts, answers and settings in \(places.joined(separator: " and ")) for good?", isSure: yes)
        try await folder.forget()
        Screen.output.writeLine("Deleted \(places.joined(separator: " and ")).")
    }
}
