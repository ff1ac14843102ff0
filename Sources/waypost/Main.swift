import API
import CBuild
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
            .group(
                "friends", "See friends and their places, and hurry or retry one.",
                [
                    .command(FriendsListCommand.self),
                    .command(FriendsShowCommand.self),
                    .command(FriendsGeocodeCommand.self),
                    .command(FriendsRetryCommand.self),
                    .command(FriendsPurgeCommand.self),
                ]),
            .group(
                "trackers", "See whose positions are taken in, turn tracking on and off, and erase a user's positions.",
                [
                    .command(TrackersListCommand.self),
                    .command(TrackersShowCommand.self),
                    .command(TrackersStartCommand.self),
                    .command(TrackersStopCommand.self),
                    .command(TrackersEraseCommand.self),
                ]),
            .group(
                "locations", "See, name and export where a user was, and upload it again.",
                [
                    .command(LocationsListCommand.self),
                    .command(LocationsNameCommand.self),
                    .command(LocationsExportCommand.self),
                    .command(LocationsRetryCommand.self),
                ]),
            .group(
                "sinks", "See and set where locations are uploaded to.",
                [
                    .command(SinksListCommand.self),
                    .command(SinksAddCommand.self),
                    .command(SinksSetCommand.self),
                    .command(SinksSignInCommand.self),
                    .command(SinksRemoveCommand.self),
                ]),
            .group(
                "lanes", "See and control the lanes: one queue and its limits for each provider.",
                [
                    .command(LanesListCommand.self),
                    .command(LanesShowCommand.self),
                    .command(LanesAddCommand.self),
                    .command(LanesLimitCommand.self),
                    .command(LanesSetCommand.self),
                    .command(LanesPauseCommand.self),
                    .command(LanesResumeCommand.self),
                    .command(LanesAuditCommand.self),
                ]),
            .group(
                "jobs", "See and control the jobs: each is one call.",
                [
                    .command(JobsListCommand.self),
                    .command(JobsShowCommand.self),
                    .command(JobsWhyCommand.self),
                    .command(JobsHurryCommand.self),
                    .command(JobsRetryCommand.self),
                    .command(JobsCancelCommand.self),
                    .command(JobsDiscardCommand.self),
                ]),
            .group(
                "workers", "See and control the workers.",
                [
                    .command(WorkersListCommand.self),
                    .command(WorkersQuietCommand.self),
                    .command(WorkersResumeCommand.self),
                ]),
            .group(
                "chains", "See and set the chains: which providers are called, in which order.",
                [
                    .command(ChainsListCommand.self),
                    .command(ChainsShowCommand.self),
                    .command(ChainsSetCommand.self),
                    .command(ChainsUseCommand.self),
                    .command(ChainsReportCommand.self),
                ]),
            .group(
                "points", "Load open address data, and see and drop the sets.",
                [
                    .command(PointsLoadCommand.self),
                    .command(PointsListCommand.self),
                    .command(PointsDropCommand.self),
                ]),
            .group(
                "review", "See and decide doubtful answers.",
                [
                    .command(ReviewListCommand.self),
                    .command(ReviewShowCommand.self),
                    .command(ReviewAcceptCommand.self),
                    .command(ReviewRejectCommand.self),
                    .command(ReviewPinCommand.self),
                    .command(ReviewUndoCommand.self),
                ]),
            .group(
                "cache", "See stored answers, expire or delete some.",
                [
                    .command(CacheStatsCommand.self),
                    .command(CacheExpireCommand.self),
                    .command(CachePurgeCommand.self),
                ]),
            .group(
                "accounts", "See, create, rename and delete accounts.",
                [
                    .command(AccountsListCommand.self),
                    .command(AccountsCreateCommand.self),
                    .command(AccountsRenameCommand.self),
                    .command(AccountsDeleteCommand.self),
                ]),
            .group(
                "tokens", "Create, see and revoke tokens of the HTTP API.",
                [
                    .command(TokensCreateCommand.self),
                    .command(TokensListCommand.self),
                    .command(TokensRevokeCommand.self),
                ]),
            .command(LogCommand.self),
            .command(DoctorCommand.self),
            .command(WorkerCommand.self),
            .command(CoordinatorCommand.self),
            .command(MigrateCommand.self),
            .command(HealthCommand.self),
        ], remedy: Remedy.sentence, notice: { nameTarget(of: $0) },
        stored: { word, placeholder in
            ["NAME", "NEW-NAME", "USER", "WORKER"].contains(placeholder) ? Normalization.composed(word) : word
        }, openAPI: openAPI, terms: { TermsOfUse.table })

    /// `docs/openapi.json`: one line for each operation, schema and response, so that a change is one line of a diff.
    private static func openAPI() -> String {
        String(decoding: JSONWriter.indented(APIServer.openAPI, levels: 3), as: UTF8.self) + "\n"
    }
}
