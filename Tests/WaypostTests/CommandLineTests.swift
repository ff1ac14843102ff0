import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandLineTests {
    private let program = Program()

    @Test(arguments: [
        "geocode", "up", "import", "export", "stats", "worker", "coordinator", "migrate", "health", "completion",
    ]) func `every command has help`(_ command: String) async throws {
        let help = try await program.run(command, "--help").expect(0, has: "waypost \(command)")
        #expect(help.error == "")
        try await program.run("--help").expect(has: "  \(command) ")
    }

    @Test(arguments: [
        (["geocod"], "did you mean"),
        (["import", "--acount", "x", "f.csv"], "--account"),
        (["import"], "SOURCE"),
        (["geocode", "f.csv"], "there is no output"),
        (["geocode", "f.csv", "-o", "places.docx"], ".geojson"),
        (["geocode", "f.csv", "-o", "a.csv", "--sheet", "1"], "--sheet is for workbooks, and this is csv"),
        (["up", "--workers", "0"], "--workers"),
        (["export"], "there is no output"),
        (["export", "-o", "a.csv", "--status", "lost"], "needs_review"),
        (["stats"], "DATABASE_URL"),
        (["health", "--role", "driver"], "coordinator"),
    ]) func `wrong usage is reported, and exits with 2`(_ words: [String], _ hint: String) async throws {
        try program.write("name,city\n", to: "f.csv")
        try await program.run(words).expect(2, prints: "", error: hint)
        #expect(!program.exists("a.csv") && !program.exists(".waypost"))
    }

    @Test func `every mistake in the settings is reported at once`() async throws {
        let outcome = try await program.run(
            "worker",
            environment: [
                "WAYPOST_LOG_LEVEL": "loud", "WAYPOST_CALLS_AT_ONCE": "0", "WAYPOST_SILENCE_LIMIT": "soon",
                "WAYPOST_LOG_FROMAT": "json",
            ]
        ).expect(2)
        for name in [
            "WAYPOST_LOG_LEVEL", "WAYPOST_CALLS_AT_ONCE", "WAYPOST_SILENCE_LIMIT", "did you mean WAYPOST_LOG_FORMAT",
        ] {
            #expect(outcome.error.contains(name), "\(outcome.error)")
        }
    }

    @Test func `settings of providers are checked before anything is started`() async throws {
        try program.write(#"{"name": "google"}"#, to: "service.json")
        let outcome = try await program.run(
            "worker",
            environment: [
                "WAYPOST_NOMINATIM_URL": "https://NOMINATIM.openstreetmap.org./x", "WAYPOST_PHOTON_URL": "photon",
                "WAYPOST_PELIAS_URL": "https://nominatim.osm.org", "WAYPOST_APPLE_TEAM": "T",
                "WAYPOST_SERVICE_FILES": "service.json:missing.json", "WAYPOST_GOOGLE_KEY": "secret",
            ]
        ).expect(2)
        for hint in [
            "WAYPOST_NOMINATIM_URL leads to the public Nominatim server", "WAYPOST_PHOTON_URL is not valid",
            "WAYPOST_PELIAS_URL leads to the public Nominatim server", "Use a Nominatim or Photon server of your own",
            "WAYPOST_APPLE_KEY_FILE must be set together",
            "missing.json, which can't be read", "service.json: the description",
        ] {
            #expect(outcome.error.contains(hint), "\(outcome.error)")
        }
        #expect(!outcome.error.contains("secret"))
    }

    @Test(arguments: ["mysql://root:secret@127.0.0.1/x", "127.0.0.1:5432", "https://db.example.org/waypost", "waypost"])
    func `a URL that is not PostgreSQL's is refused`(_ url: String) async throws {
        let outcome = try await program.run("stats", environment: ["DATABASE_URL": url]).expect(
            2, error: "DATABASE_URL is not valid; it takes the URL of a PostgreSQL database: postgresql://")
        #expect(!outcome.error.contains("secret"))
    }

    @Test(arguments: ["stats", "worker", "migrate", "health"])
    func `a database that can't be reached is one clear error`(_ command: String) async throws {
        // The database and its server don't exist, and the command must not retry for half a minute.
        let outcome = try await program.run(
            command, environment: ["DATABASE_URL": "postgresql://nobody:secret@127.0.0.1:1/x?connect_timeout=2"]
        ).expect(1, error: "127.0.0.1", "no server answers there")
        #expect(!outcome.error.contains("secret"))
    }

    @Test(arguments: [
        ("missing.csv", "no such file"), (".", "directory"), ("empty.csv", "empty"), ("odd.csv", "address"),
    ])
    func `an unreadable file is reported with the reason before anything is started`(
        _ file: String, _ reason: String
    ) async throws {
        try program.write("", to: "empty.csv")
        try program.write("colour,shoe size\nred,42\n", to: "odd.csv")
        try await program.run("geocode", file, "-o", "places.csv", "--temporary").expect(1, error: reason)
        #expect(!program.exists("places.csv"))
        #expect(!program.exists(".waypost"))
    }
}
