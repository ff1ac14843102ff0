import Testing

@Suite(.timeLimit(.minutes(10)))
struct UsageTests {
    @Test(arguments: steering + reviewing)
    func `wrong usage is reported, and exits with 2`(_ words: [String], _ hint: String) async throws {
        let program = try Program()
        defer { program.remove() }
        let outcome = try await program.run(words)
        #expect(outcome.code == 2)
        // A group without a command prints its help.
        #expect((outcome.error + outcome.output).contains(hint), "\(outcome.error)")
    }

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
