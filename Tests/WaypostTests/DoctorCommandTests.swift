import DatabaseTesting
import Foundation
import Glibc
import HTTPTesting
import Polling
import Postgres
import Processes
import Queue
import Testing

/// Runs `doctor` on a server with a fault.
@Suite(.database)
struct DoctorCommandTests: CommandSuite {
    let program = Program()

    @Test func `a server without free connections is a problem with its remedy`() async throws {
        let login = "crowd_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await Database.test.run(script: "CREATE ROLE \(login) LOGIN CONNECTION LIMIT 0")
        let url = try Database.testURL.replacing("user=waypost", with: "user=\(login)")
        let outcome = try await program.run("doctor", environment: ["DATABASE_URL": url]).expect(1)
        #expect(
            outcome.output.hasPrefix("problem  connections: PostgreSQL accepts no more connections: "), "\(outcome)")
        outcome.expect(has: "too many connections for role", "raise max_connections")
    }

    @Test func `a wrong database, password or owner is named with its cure`() async throws {
        let login = "weak_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await Database.test.run(script: "CREATE ROLE \(login) LOGIN")
        let url = try Database.testURL
        for (command, url, cure) in [
            ("stats", url.replacing(/\/waypost_test_\w+/, with: "/nowhere"), "correct its name in the URL"),
            ("doctor", url.replacing(/\/waypost_test_\w+/, with: "/nowhere"), "correct its name in the URL"),
            ("stats", url.replacing("user=waypost", with: "user=nobody_at_all"), "correct the user in the URL"),
            ("migrate", url.replacing("user=waypost", with: "user=\(login)"), "ALTER DATABASE … OWNER TO"),
        ] {
            let outcome = try await program.run(command, environment: ["DATABASE_URL": url]).expect(1)
            #expect((outcome.error + outcome.output).contains(cure), "\(outcome)")
        }
    }

    @Test func `after a restore, the processes of the backup are not missed`() async throws {
        let ghosts = """
            INSERT INTO workers (name, host, pid, seen_at) VALUES ('old', 'gone', 1, now() - interval '1 h');
            INSERT INTO coordinators (name, host, pid, seen_at) VALUES ('old', 'gone', 2, now() - interval '1 h');
            UPDATE leadership SET coordinator = (SELECT id FROM coordinators), until = now() + interval '1 h'
            """
        try await Database.test.run(script: ghosts)
        try await waypost("doctor").expect(has: "old on gone fell silent")
        try await waypost("migrate --restored").expect(0)
        try await waypost("doctor").expect(has: "ok       workers: none is running", "no coordinator leads")
    }

    @Test(arguments: [
        (10, "warning  certificate: the TLS certificate is valid until 2"), (90, "ok       certificate: "),
    ])
    func `a certificate that ends soon is a warning`(days: Int, words: String) async throws {
        _ = try await ChildProcess.output(
            of: "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                "\(days)", "-subj", "/CN=test", "-keyout", "key.pem", "-out", "certificate.pem",
            ], directory: program.folder)
        try await program.run(
            "doctor",
            environment: [
                "DATABASE_URL": Database.testURL, "WAYPOST_TLS_CERTIFICATE": program.folder + "/certificate.pem",
                "WAYPOST_TLS_KEY": program.folder + "/key.pem",
            ]
        ).expect(has: words)
    }

    @Test func `a commit that waits for a standby is a problem of the standby, and no session is to be ended`()
        async throws
    {
        let server = try await PrivateServer.start(
            in: "/tmp/waypost-waiting-\(getpid())", .temporary, settings: ["wal_level=replica", "max_wal_senders=1"])
        let environment = ["DATABASE_URL": server.url]
        try await program.run("migrate", environment: environment).expect(0)
        let database = Database(url: server.url, options: .init(size: 2))
        try await database.run { db throws in
            try db.run(script: "CREATE TABLE notes (id integer)")
            try db.run(script: "ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            try db.query("SELECT pg_reload_conf()")
        }
        // A commit waits only after the checkpointer has read the setting.
        let writing = Task {
            try await database.run { db throws in
                try db.query("SET synchronous_commit = on")
                while !Task.isCancelled { try db.query("INSERT INTO notes VALUES (1)") }
            }
        }
        try await pollUntil {
            try await program.run("doctor", environment: environment).output.contains(
                "commits that wait for a synchronous")
        }
        let output = try await program.run("doctor", environment: environment).output
        #expect(
            output.contains("problem  standby: ") && output.contains("synchronous_standby_names = 'nobody'"),
            "\(output)")
        #expect(!output.contains("pg_terminate_backend"), "\(output)")
        writing.cancel()
        _ = try? await writing.value
        await database.close()
        await server.stop()
    }

    @Test func `a time limit of the server is named with its place`() async throws {
        try await Database.test.run { db in
            let name: String = try db.query("SELECT current_database() AS name")[0].read("name")
            try db.run(script: "ALTER DATABASE \"\(name)\" SET statement_timeout = '5s'")
        }
        try await waypost("doctor").expect(has: "warning  time limits: statement_timeout is 5000 ms, from the database")
        let cut = DatabaseError(message: "canceling statement due to statement timeout", sqlState: "57014")
        #expect(Finding.overTime(cut)?.remedy?.contains("statement_timeout") == true)
    }

    @Test func `a right that a role or the owner has lost is named, and migrate grants it again`() async throws {
        try await Database.test.run(script: "REVOKE INSERT ON calls FROM waypost_worker")
        try await waypost("doctor").expect(1, has: "problem  rights: waypost_worker lacks INSERT on calls; ")
        try await waypost("migrate").expect(0)
        #expect(try await !waypost("doctor").output.contains("rights: "))
        let login = "owner_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await Database.test.run(
            script: """
                CREATE ROLE \(login) LOGIN; GRANT CREATE, USAGE ON SCHEMA public TO \(login);
                ALTER TABLE workers OWNER TO \(login); REVOKE ALL ON workers FROM \(login);
                """)
        try await waypost("doctor").expect(has: "problem  rights: \(login) lacks ")
        try await Database.test.run(
            script: "ALTER TABLE workers OWNER TO CURRENT_USER; DROP OWNED BY \(login); DROP ROLE \(login)")
    }

    @Test func `a pooler is reported, with the way of notifications`() async throws {
        try await Database.pooled(sessions: 4) { _, url in
            try await program.run("doctor", environment: ["DATABASE_URL": url]).expect(
                has: "warning  pooler: a connection pooler stands between",
                "set WAYPOST_DIRECT_URL to PostgreSQL itself")
            for (direct, words) in [
                (try Database.testURL, "ok       pooler: "), (try Database.testURL, "come over WAYPOST_DIRECT_URL"),
                (try Database.testURL.replacing(/\/waypost_test_\w+/, with: "/postgres"), "leads to another database"),
                ("postgresql://nobody@127.0.0.1:1/x", "WAYPOST_DIRECT_URL can't be reached"),
            ] {
                try await program.run("doctor", environment: ["DATABASE_URL": url, "WAYPOST_DIRECT_URL": direct])
                    .expect(has: words)
            }
        }
    }

    @Test func `a standby is reported, and what is wrong with it`() async throws {
        try await Database.replicated { standby in
            for (url, words) in [
                (standby.url, "ok       standby: answers reads of the API"),
                (standby.url(of: "postgres"), "problem  standby: WAYPOST_READ_URL leads to another database"),
                (try Database.testURL, "problem  standby: WAYPOST_READ_URL leads to a server that is not a standby"),
                ("postgresql://nobody@127.0.0.1:1/x", "warning  standby: WAYPOST_READ_URL can't be reached"),
            ] {
                try await program.run(
                    "doctor", environment: ["DATABASE_URL": Database.testURL, "WAYPOST_READ_URL": url]
                ).expect(has: words)
            }
        }
    }

    @Test func `a locked table is reported with the session that holds the lock`() async throws {
        let outcome = try await whileLocked("lanes") { try await waypost("doctor") }
        outcome.expect(
            1, has: "problem  locks: another session has locked a table",
            "(waypost) is idle in a transaction that has been open for", "SELECT pg_terminate_backend(")
    }

    private func whileLocked<Value: Sendable>(
        _ table: String, _ body: () async throws -> Value
    ) async throws -> Value {
        let (locked, examined) = (Rendezvous(of: 2), Rendezvous(of: 2))
        // On a busy machine the doctor may take longer than the usual limit of an idle transaction.
        var options = Database.Options(size: 1)
        options.idleInTransactionLimit = .seconds(600)
        let database = Database(url: try Database.testURL, options: options)
        async let holder: Void = database.transaction { db in
            try db.run(script: "LOCK TABLE \(table)")
            locked.arriveAndWait()
            examined.arriveAndWait()
        }
        await locked.arrive()
        let value = try await body()
        await examined.arrive()
        try await holder
        await database.close()
        return value
    }

    @Test func `a database that is away, silent or locked is a finding after some seconds, and names its page`()
        async throws
    {
        let deaf = try DeafServer()
        defer { deaf.stop() }
        for (url, words) in [
            ("postgresql://nobody@127.0.0.1:1/x", "can't be reached: connection to server at"),
            ("postgresql://nobody@127.0.0.1:\(deaf.port)/x", "can't be reached: connection to server at"),
            (try Database.testURL.replacing(/\/waypost_test_\w+/, with: "/none"), "database \"none\" does not exist"),
        ] {
            let outcome = try await program.run("doctor", environment: ["DATABASE_URL": url])
            #expect(outcome.code == 1 && outcome.error.isEmpty, "\(outcome)")
            #expect(outcome.output.hasPrefix("problem  database: ") && outcome.output.contains(words), "\(outcome)")
            #expect(outcome.output.hasSuffix("; see docs/operations/alerts.md#waypostdatabaseaway\n"), "\(outcome)")
            #expect(outcome.output.count { $0.isNewline } == 1, "\(outcome)")
        }
        let outcome = try await whileLocked("schema_migrations") { try await waypost("doctor --json") }
        #expect(outcome.code == 1)
        let findings = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        #expect(findings?.map { $0["text"] as? String } == ["gave no answer within 10s"])
        #expect(findings?.first?["runbook"] as? String == "docs/operations/alerts.md#waypostdatabaseaway")
    }

    @Test func `doctor --watch --json prints one line for each look, also while the database is away`() async throws {
        let (lines, inbox) = AsyncStream.makeStream(of: String.self)
        let doctor = try ChildProcess(
            Program.path, ["doctor", "--watch", "--json", "--every", "200ms"],
            environment: Program.environment(["DATABASE_URL": Database.testURL]), directory: program.folder,
            output: .lines { inbox.yield($0) }, error: .discarded)
        func wait(for verdict: String, of check: String) async throws {
            for await line in lines {
                let findings = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]]
                let found = findings?.first { $0["check"] as? String == check }
                if found?["verdict"] as? String == verdict { return }
            }
            Issue.record("the doctor ended")
        }
        try await wait(for: "problem", of: "leader")
        let name: String = try await Database.test.query("SELECT quote_ident(current_database()) AS name")[0].read(
            "name")
        // A session can't close its own database.
        let other = Database(url: try Database.testURL.replacing(/\/waypost_test_\w+/, with: "/postgres"))
        try await other.run { try $0.run(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS false") }
        try await wait(for: "problem", of: "database")
        try await other.run { try $0.run(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS true") }
        await other.close()
        try await wait(for: "problem", of: "leader")
        doctor.send(SIGINT)
        #expect(await doctor.exit() == .signal(SIGINT))
    }
}
