import DatabaseTesting
import Foundation
import Glibc
import HTTPTesting
import Polling
import Postgres
import Processes
import Testing

@testable import waypost

@Suite(.database)
struct SupportBundleTests: CommandSuite {
    let program: Program

    init() throws { program = try Program() }

    /// The files of an archive by their names, without its folder.
    private func unpack(_ archive: String) async throws -> [String: String] {
        let folder = "\(program.folder)/unpacked-\(archive)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tar = try await ChildProcess.output(
            of: "tar", ["-xzf", "\(program.folder)/\(archive)", "--strip-components=1", "-C", folder])
        #expect(tar.exit.isSuccess && tar.error.isEmpty, "\(String(decoding: tar.error, as: UTF8.self))")
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: folder).map {
                ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
            })
    }

    @Test func `a bundle of a cluster with contacts has no data of them, and no secret`() async throws {
        defer { program.remove() }
        let refusing = try ScriptedServer { _ in
            .json(#"{"error":"blocked: Quillfeather, Larkspur Lane, quill@contacts.example"}"#, status: 403)
        }
        defer { refusing.stop() }
        let nominatim = refusing.url + "/sesame-7"
        let environment = [
            "DATABASE_URL": try Database.testURL, "PGPASSWORD": "open-sesame-8", "WAYPOST_NOMINATIM_URL": nominatim,
            "WAYPOST_GOOGLE_KEY": "AIza-sesame-9", "WAYPOST_SERVICE_KEYS": "sesame-first,sesame-second",
            "WAYPOST_SEALING_KEYS": String(repeating: "5eed", count: 16), "WAYPOST_MONICA_TOKEN": "sesame-monica",
            "WAYPOST_CONTACT": "operator@operators.example", "WAYPOST_LOG_FORMAT": "logfmt",
        ]
        func run(_ words: String..., code: Int32 = 0) async throws -> Program.Outcome {
            let outcome = try await program.run(words, environment: environment)
            #expect(outcome.code == code, "\(words): \(outcome)")
            return outcome
        }
        try program.write(
            """
            name,street,postcode,city,country,email
            Quillfeather Oddbody,7 Larkspur Lane,02700,Kauniainen,FI,quill@contacts.example
            Zephyrine Marrow,9 Snapdragon Row,6900,Lugano,CH,zephyrine@contacts.example
            """, to: "contacts.csv")
        let logs = "\(program.folder)/waypost.log"
        let crew = try ["coordinator", "worker"].map {
            try ChildProcess(
                Program.path, [$0], environment: Program.environment(environment), directory: program.folder,
                output: .discarded, error: .file(logs))
        }
        // The worker creates the lane, and the server's answer stops it.
        try await pollUntil { try await waypost("lanes", "show", "nominatim").code == 0 }
        _ = try await run("chains", "set", "default", "gazetteer", "nominatim")
        _ = try await run("import", "contacts.csv", "--account", "quill@contacts.example")
        try await pollUntil { try await waypost("lanes", "show", "nominatim").output.contains("stopped") }
        _ = try await run("export", "--account", "quill@contacts.example", "-o", "places.ndjson")
        let token = try await run(
            "tokens", "create", "Zephyrine Marrow", "--account", "quill@contacts.example", "--scope", "write"
        ).output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("wp_") }
        let secret = try #require(token.map(String.init))
        _ = try await run("lanes", "pause", "gazetteer", "--reason", "Zephyrine Marrow complained")
        _ = try await run("trackers", "start", "Quillfeather", "--account", "quill@contacts.example")
        for process in crew {
            process.send(SIGTERM)
            _ = await process.exit()
        }
        // Lines of other programs in the same file, and secrets in our own.
        let other = try FileHandle(forWritingTo: URL(fileURLWithPath: logs))
        try other.seekToEnd()
        try other.write(
            contentsOf: Data(
                """
                2026-11-26 22:00:00 UTC [7] DETAIL:  Failing row contains (1, Quillfeather Oddbody, 7 Larkspur Lane).
                time=2026-11-26T22:00:00.000Z level=error message=canary error="\(nominatim) and ftp://nomi:x@host refused AIza-sesame-9 of \(secret)"
                worker-1  | time=2026-11-26T22:00:01.000Z level=info message=canary key=sesame-second by=quill@contacts.example

                """.utf8))
        try other.close()

        let outcome = try await run("support-bundle", "-o", "bundle.tar.gz", "--log", "waypost.log")
        #expect(outcome.error.contains("It has no data of a contact"), "\(outcome.error)")
        #expect(!outcome.error.contains("Missing"), "\(outcome.error)")
        let files = try await unpack("bundle.tar.gz")
        #expect(
            Set(files.keys) == [
                "README.txt", "versions.txt", "settings.txt", "log-1.txt", "doctor.json", "schema.txt", "stats.json",
                "chains.json", "acts.txt", "postgres.json", "tables.json", "sessions.json",
            ])
        let places = try program.read("places.ndjson")
        let coordinates = places.matches(of: /-?[0-9]+\.[0-9]{3}/).map { String($0.output) }
        #expect(coordinates.count >= 2, "\(places)")
        let canaries =
            [
                "quill", "oddbody", "zephyrine", "marrow", "larkspur", "snapdragon", "kauniainen", "lugano", "02700",
                "sesame", "5eed5eed", "operators.example", "contacts.example", secret.suffix(43).lowercased(),
                "contacts.csv",
            ] + coordinates
        for (name, text) in files {
            for canary in canaries { #expect(!text.lowercased().contains(canary), "\(canary) in \(name)") }
        }
        // Each file still has what it is for.
        #expect(files["log-1.txt"]?.contains("message=started") == true)
        #expect(files["log-1.txt"]?.contains("[secret]@") == true)
        #expect(
            files["log-1.txt"]?.contains("worker-1  | time=2026-11-26T22:00:01.000Z level=info message=canary") == true)
        #expect(
            files["README.txt"]?.contains("1 line of other programs left out") == true, "\(files["README.txt"] ?? "")")
        #expect(files["settings.txt"]?.contains("WAYPOST_GOOGLE_KEY=(set)\n") == true)
        #expect(files["acts.txt"]?.contains("lanes.pause gazetteer") == true, "\(files["acts.txt"] ?? "")")
        #expect(files["schema.txt"] == "The schema is up to date.\n")
        for name in files.keys where name.hasSuffix(".json") {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(files[name]?.utf8 ?? "".utf8)) }
        }
        #expect(files["sessions.json"]?.contains("\"query\"") == false)

        // Only its owner may read it, and it never replaces a file.
        var status = stat()
        #expect(stat("\(program.folder)/bundle.tar.gz", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let bytes = FileManager.default.contents(atPath: "\(program.folder)/bundle.tar.gz")
        let second = try await run("support-bundle", "-o", "bundle.tar.gz", code: 1)
        #expect(second.error.contains("can't write bundle.tar.gz: File exists"), "\(second.error)")
        #expect(FileManager.default.contents(atPath: "\(program.folder)/bundle.tar.gz") == bytes)
    }

    @Test func `without a database the bundle has the other parts and says what is missing`() async throws {
        defer { program.remove() }
        let environment = ["DATABASE_URL": "postgresql://ada:open-sesame@127.0.0.1:1/x"]
        let outcome = try await program.run(
            "support-bundle", "-o", "bundle.tar.gz", "--log", "none.log", environment: environment)
        #expect(outcome.code == 0, "\(outcome)")
        let files = try await unpack("bundle.tar.gz")
        #expect(Set(files.keys) == ["README.txt", "versions.txt", "settings.txt", "doctor.json"])
        let list = try #require(files["README.txt"])
        #expect(list.contains("Missing:\n  log-1.txt: can't read none.log: No such file or directory\n"), "\(list)")
        #expect(
            list.contains(
                "  stats.json, chains.json, acts.txt, postgres.json, tables.json, sessions.json: can't be reached: connection to server at"
            ), "\(list)")
        #expect(outcome.error.hasPrefix(list), "\(outcome.error)")
        #expect(files["doctor.json"]?.contains("WaypostDatabaseAway") == true)
        for (name, text) in files { #expect(!text.contains("sesame"), "\(name)") }

        // To standard output, for a container whose file system is read-only.
        let piped = try await ChildProcess.output(
            of: "sh", ["-c", "echo 'waypost: ended' | \"$0\" support-bundle --log - -o - | tar -tz", Program.path],
            environment: Program.environment(environment), directory: program.folder)
        let names = String(decoding: piped.output, as: UTF8.self)
        #expect(piped.exit.isSuccess && names.contains("/versions.txt\n") && names.contains("/log-1.txt\n"), "\(names)")
    }

    @Test func `secrets are found in any part of a text, and ordinary words stay`() {
        let redaction = Redaction([
            "postgresql://ada:p%40ss-word@db/waypost", "key-one-1,key-two-2", "waypost", "ab",
            "host=db password='it''s long' user=x", "Authorization=Bearer%20otel-token",
        ])
        for (text, clean) in [
            ("login failed for p@ss-word", "login failed for [secret]"),
            ("a key-two-2 b", "a [secret] b"),
            ("https://x:y@host/path", "https://[secret]@host/path"),
            ("host=db password=short user=ada", "host=db password=[secret] user=ada"),
            ("waypost-worker@1.service about Ada", "waypost-worker@1.service about Ada"),
            ("of ada.l+x@example.org.", "of [e-mail]."),
            ("401 for otel-token", "401 for [secret]"),
            ("token wp_7_\(String(repeating: "a", count: 43))", "token [secret]"),
        ] { #expect(redaction(text) == clean) }
    }

    @Test func `only lines of this program are taken from a log, with the name of their container or unit`() {
        let ours = #"time=2026-11-26T22:00:00.123Z level=info message="a b" worker=w"#
        let json = #"{"time":"2026-11-26T22:00:00.123Z","level":"info","message":"a","worker":"w"}"#
        let excerpt = LogExcerpt(
            """
            \(ours)
            worker-1  | \(json)
            Thu 2026-11-26 22:00:00 UTC host-7 waypost-worker@1.service[77]: \(ours)
            Thu 2026-11-26 22:00:01 UTC host-7 waypost-worker@1.service[77]: waypost: postgres: Connection refused
            Thu 2026-11-26 22:00:01 UTC host-7 waypost-worker@1.service[77]:   hint: start it
            Thu 2026-11-26 22:00:02 UTC host-7 init.scope[1]: waypost-worker@1.service: Main process exited, status=1
            Thu 2026-11-26 22:00:02 UTC host-7 init.scope[1]: other.service: Main process exited, status=1
            waypost can't start:
              - WAYPOST_LISTEN is "x"
            postgres-1  | ERROR:  duplicate key  DETAIL:  Key (name)=(Ada) exists. level
            Ada Lovelace, level 3
            """)
        let unit = "waypost-worker@1.service"
        #expect(
            excerpt.lines == [
                ours, "worker-1  | \(json)", "\(unit)[77]: \(ours)",
                "\(unit)[77]: waypost: postgres: Connection refused", "\(unit)[77]:   hint: start it",
                "init.scope[1]: \(unit): Main process exited, status=1", "waypost can't start:",
                "  - WAYPOST_LISTEN is \"x\"",
            ])
        #expect(excerpt.others == 3)
    }
}
