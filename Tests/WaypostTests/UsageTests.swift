import Processes
import Terminal
import Testing

@testable import waypost

/// Usage mistakes are refused before anything is opened, so the commands run in this process.
struct UsageTests {
    @Test(arguments: contacts + positions + access + steering + reviewing)
    func `wrong usage is reported, and exits with 2`(_ words: [String], _ hint: String) async {
        let (output, errors) = (Locked(""), Locked(""))
        let code = await Waypost.commands.main(
            words, output: Screen { text in output.withLock { $0 += text } },
            errors: Screen { text in errors.withLock { $0 += text } })
        #expect(code == 2)
        #expect(errors.withLock { $0 }.contains(hint), "\(errors.withLock { $0 })")
        #expect(output.withLock { $0 } == "")
    }

    private static let contacts: [([String], String)] = [
        (["geocode"], "FILE|ADDRESS"),
        (["geocode", "1 Main St, Reno", "-o", "places.csv"], "are for a file, and no file has this name"),
        (["geocode", "1 Main St, Reno", "--account", "ada"], "are for a file"),
        (["geocode", "contacts.csv", "-v"], "are for an address"),
        (["geocode", "-", "--json", "-o", "-"], "both write to standard output"),
        (["geocode", "contacts.CSV", "--chain", "default"], "are for an address"),
        (["geocode", " , "], "the address is empty"),
        (["reverse"], "LAT,LON"),
        (["reverse", "60.17"], "like 60.17,24.94"),
        (["reverse", "60.17,181"], "a longitude from -180 to 180"),
        (["reverse", "here,there"], "like 60.17,24.94"),
        (["export", "-o", "places.docx"], "the name must end in .csv, .tsv, .tab, .xlsx, .ods, .geojson"),
        (
            ["export", "-o", "a.csv", "--status", "lost"],
            "waiting, located, needs_review, not_found, failed or forgotten"
        ),
        (["export", "-o", "a.csv", "--country", "Atlantis"], "by its code or by its name"),
        (["export", "-o", "a.csv", "--min-confidence", "80"], "from 0.0 to 1.0"),
        (["export", "-o", "a.csv", "--format", "kml"], "--format is for standard output"),
        (["export", "--format", "docx"], "csv, tsv, xlsx, ods, geojson, kml"),
        (["import", "contacts.csv", "--allow-empty"], "--allow-empty is for --complete"),
        (["import", "-", "--complete", "--from", "csv"], "--complete needs --feed NAME"),
        (["import", "contacts.csv", "--country", "Atlantis"], "by its code or by its name"),
        (["import", "contacts.csv", "--from", "xls"], "csv, xlsx, ods, vcard, geojson, ndjson or monica"),
        (["import", "contacts.ldif"], "LDIF is not read; export the contacts as vCard or CSV"),
        (["import", "contacts.vcf", "--mapping", "map.txt"], "--mapping is for tables, and this is vcard"),
        (["import", "contacts.ndjson", "--encoding", "utf-16"], "ndjson is always UTF-8"),
        (["import", "contacts.csv", "--report", "-"], "--report names a file"),
        (["import", "https://ada:secret@monica.example"], "without name, password or ?"),
        (["import", "https://monica.example", "--from", "csv"], "a server is always Monica"),
    ]

    private static let positions: [([String], String)] = [
        (["trackers"], "erase"),
        (["trackers", "start"], "USER"),
        (["trackers", "start", ""], "USER is empty"),
        (["trackers", "start", String(repeating: "é", count: 201)], "USER is longer than 200 characters"),
        (["trackers", "start", "ada", "--account", ""], "--account is empty"),
        (["trackers", "start", "ada", "--radius", "0"], "from 1.0 to 10000.0"),
        (["trackers", "start", "ada", "--top-speed", "fast"], "--top-speed"),
        (["trackers", "start", "ada", "--keep-doubted", "--drop-doubted"], "contradict"),
        (["trackers", "start", "ada", "--since", "yesterday"], "a time such as 2026-11-22T15:00:00Z"),
        (["trackers", "start", "ada", "--since", "2026-02-30"], "a time such as"),
        (["trackers", "start", "ada", "--since", "9999-01-01"], "--since is in the future"),
        (["trackers", "list", "--limit", "0"], "from 1"),
        (["locations", "list"], "--user"),
        (["locations", "list", "--user", "ada", "--uploaded", "maybe"], "true or false"),
        (["locations", "export", "--user", "ada"], "--output"),
        (["locations", "export", "--user", "ada", "-o", "track.csv"], "must end in .gpx, .geojson or .json"),
        (["locations", "export", "--user", "ada", "-o", "-"], "needs --format"),
        (
            ["locations", "export", "--user", "ada", "-o", "a.gpx", "--format", "gpx"],
            "--format is for standard output"
        ),
    ]

    private static let access: [([String], String)] = [
        (["tokens"], "create"),
        (["tokens", "create", "phone", "--account", "ada"], "--scope SCOPE is missing"),
        (["tokens", "create", "phone", "--account", "ada", "--scope", "all"], "locate, admin or geocode"),
        (["tokens", "create", "app", "--account", "ada", "--scope", "geocode", "--scope", "read"], "no other scope"),
        (["tokens", "create", "app", "--account", "ada", "--scope", "read", "--wait", "1s"], "--scope geocode only"),
        (["tokens", "create", "app", "--account", "ada", "--scope", "geocode", "--wait", "31s"], "--wait"),
        (["tokens", "create", "phone", "--account", "ada", "--scope", "read", "--expires", "soon"], "90s"),
        (["tokens", "create", "phone", "--account", "ada", "--scope", "read", "--expires", "0s"], "--expires"),
        (["tokens", "create", "", "--account", "ada", "--scope", "read"], "NAME is empty"),
        (["tokens", "create", "phone", "--account", "", "--scope", "read"], "--account is empty"),
        (["tokens", "revoke"], "ID"),
        (["tokens", "revoke", "0"], "from 1"),
        (["tokens", "revoke", "99999999999"], "from 1"),
        (["accounts"], "delete"), (["accounts", "create", ""], "NAME is empty"),
        (["accounts", "rename", "ada"], "NEW-NAME"), (["accounts", "rename", "ada", ""], "NEW-NAME is empty"),
    ]

    private static let steering: [([String], String)] = [
        (["lanes"], "list"),
        (["lanes", "limit", "gazetteer"], "--none"),
        (["lanes", "limit", "gazetteer", "1/s", "--none"], "contradict"),
        (["lanes", "limit", "gazetteer", "1/s", "20/s"], "same time"),
        (["lanes", "limit", "gazetteer", "1/s", "60/60s", "20/min"], "same time"),
        (["lanes", "limit", "gazetteer", "fast"], "20/s"),
        (["lanes", "set", "gazetteer"], "give an option"),
        (["lanes", "set", "gazetteer", "--calls-at-once", "0"], "or none"),
        (["lanes", "set", "gazetteer", "--grace", "2s"], "--grace"),
        (["lanes", "set", "gazetteer", "--price", "5"], "such as '5 USD'"),
        (["lanes", "set", "gazetteer", "--price", "-5 USD"], "such as '5 USD'"),
        (["lanes", "add", "Two Words"], "small letters"),
        (["lanes", "audit", "gazetteer", "--since", "yesterday"], "90s"),
        (["jobs", "list", "--state", "done"], "held"),
        (["jobs", "why"], "ID"),
        (["jobs", "retry"], "give an ID"),
        (["jobs", "cancel", "1", "--all"], "exclude each other"),
        (["jobs", "discard", "--all", "--lane", "gazetteer"], "exclude each other"),
        (["jobs", "hurry", "0"], "from 1 up"),
        (["workers", "quiet"], "WORKER"),
        (["geocode", String(repeating: "é", count: 2_001)], "the address is longer than 2,000 characters"),
        (["import", "-", "--feed", String(repeating: "é", count: 501)], "the feed's name is longer than 500"),
    ]

    private static let reviewing: [([String], String)] = [
        (["chains"], "list"),
        (["chains", "set", "default"], "give one LINK or more"),
        (["chains", "set", "Two Words", "gazetteer"], "small letters"),
        (["chains", "set", "default", ":below=1"], "begins with the name of a lane"),
        (["chains", "set", "default", "gazetteer:below=2"], "below= takes a confidence from 0 to 1, not \"2\""),
        (["chains", "set", "default", "gazetteer:stop=house"], "stop= takes one of rooftop"),
        (["chains", "set", "default", "gazetteer:steps=free"], "without street, not \"free\""),
        (["chains", "set", "default", "gazetteer:countries=DE,Atlantis"], "like DE,AT, not \"Atlantis\""),
        (["chains", "set", "default", "gazetteer:countries=DE,"], "not \"\""),
        (["chains", "set", "default", "gazetteer:above=1"], "\"above=\" in \"gazetteer:above=1\""),
        (["chains", "set", "default", "gazetteer:below"], "\"below\" in \"gazetteer:below\" has no value"),
        (["chains", "set", "default", "gazetteer:below=0.1:below=0.2"], "has below= twice"),
        (["chains", "set", "default", "--located", "2"], "from 0.0 to 1.0"),
        (["chains", "set", "default", "--keep-failed", "0"], "--keep-failed"),
        (["chains", "set", "default", "--shared-houses", "--no-shared-houses"], "contradict"),
        (["chains", "use", "default"], "--account"),
        (["review", "show"], "ID"),
        (["review", "accept", "1", "0"], "from 1 up"),
        (["review", "pin", "1"], "LAT,LON"),
        (["review", "pin", "1", "91,0"], "a latitude from -90 to 90"),
        (["review", "pin", "1", "60.1"], "like 60.17,24.94"),
        (["cache", "expire"], "give --provider"),
        (["cache", "purge", "--all", "--status", "failed"], "exclude each other"),
        (["cache", "expire", "--status", "waiting"], "has no answers"),
        (["cache", "expire", "--older", "soon"], "90s"),
    ]
}
