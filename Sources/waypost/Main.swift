import API
import CEmbedded
import Geocoding
import Glibc
import JSON
import Processes
import Terminal

@main
struct Main {
    static func main() async {
        StandardDescriptors.reserve()
        let code = await Waypost.commands.main(Array(ProcessArguments.current.dropFirst()))
        // Not `exit`: it runs the destructors of the C libraries while another thread may still open a connection. Those
        // of Kerberos end the process with SIGABRT then.
        fflush(nil)
        _exit(code)
    }
}

/// The program's commands. Help, completion and parsing are made from these declarations.
enum Waypost {
    static let version = "0.1.0"
    /// The date of the version, for manual pages.
    static let date = "2026-11-23"

    /// The commit of this program, such as `48dee4ae8b12, 2026-11-26`. Empty if deploy/stamp did not write one.
    static let commit = String(cString: build_commit())

    static var build: String {
        #if DEBUG
            let kind = "debug"
        #else
            let kind = "release"
        #endif
        #if arch(x86_64)
            let machine = "x86_64"
        #elseif arch(arm64)
            let machine = "arm64"
        #else
            let machine = "another machine"
        #endif
        return "(\(commit.isEmpty ? "commit not recorded" : "commit \(commit)"); \(kind) build for \(machine))"
    }

    static let commands = CommandTree(
        "waypost", summary: "Turn the addresses of contacts into places on a map.",
        discussion: """
            Without any setting it works on this machine alone, with a private PostgreSQL and an offline gazetteer:

              waypost geocode contacts.csv -o places.geojson

            With DATABASE_URL, every command works on the cluster that shares that database.
            """,
        version: version, build: build, date: date,
        [
            .command(GeocodeCommand.self),
            .command(ReverseCommand.self),
            .command(PlanCommand.self),
            .command(UpCommand.self),
            .command(ImportCommand.self),
            .command(ForgetCommand.self),
            .command(ExportCommand.self),
            .command(RematchCommand.self),
            .command(StatsCommand.self),
            .command(TopCommand.self),
            FriendVerbs.group, TrackerVerbs.group, LocationVerbs.group, SinkVerbs.group, LaneVerbs.group,
            JobVerbs.group, WorkerVerbs.group, ChainVerbs.group, PointVerbs.group, RegionVerbs.group, ReviewVerbs.group,
            CacheVerbs.group, AccountVerbs.group, TokenVerbs.group,
            .gateway, .log,
            .command(DoctorCommand.self),
            .command(WorkerCommand.self),
            .command(CoordinatorCommand.self),
            .command(MigrateCommand.self),
            .command(HealthCommand.self),
        ], remedy: Remedy.sentence, notice: { nameTarget(of: $0) },
        stored: { word, placeholder in
            ["NAME", "NEW-NAME", "USER", "WORKER"].contains(placeholder) ? Normalization.composed(word) : word
        },
        references: [
            .openapi: openAPI, .terms: { TermsOfUse.table }, .settings: { ProcessSetting.page },
            .variables: { ProcessSetting.exampleFile },
        ])

    /// `docs/openapi.json`: one line for each operation, schema and response, so that a change is one line of a diff.
    private static func openAPI() -> String {
        String(decoding: JSONWriter.indented(APIServer.openAPI, levels: 3), as: UTF8.self) + "\n"
    }
}
