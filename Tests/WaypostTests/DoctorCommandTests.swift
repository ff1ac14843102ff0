import DatabaseTesting
import Foundation
import Hosting
import Postgres
import Testing

/// Runs `doctor` on a server with a fault.
@Suite(.database)
struct DoctorCommandTests: CommandSuite {
    let program: Program

    init() throws { program = try Program() }

    @Test func `a server without free connections is a problem with its remedy`() async throws {
        defer { program.remove() }
        let login = "crowd_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await Database.test.run { try $0.run(script: "CREATE ROLE \(login) LOGIN CONNECTION LIMIT 0") }
        let url = try Database.testURL.replacing("user=waypost", with: "user=\(login)")
        let outcome = try await program.run("doctor", environment: ["DATABASE_URL": url])
        #expect(outcome.code == 1)
        #expect(
            outcome.output.hasPrefix("problem  connections: PostgreSQL accepts no more connections: "), "\(outcome)")
        #expect(outcome.output.contains("too many connections for role"))
        #expect(outcome.output.contains("raise max_connections"))
    }

    @Test func `a pooler is reported, with the way of notifications`() async throws {
        defer { program.remove() }
        try await Database.pooled(sessions: 4) { _, url in
            let deaf = try await program.run("doctor", environment: ["DATABASE_URL": url])
            #expect(deaf.output.contains("warning  pooler: a connection pooler stands between"), "\(deaf)")
            #expect(deaf.output.contains("set WAYPOST_DIRECT_URL to PostgreSQL itself"))
            for (direct, words) in [
                (try Database.testURL, "ok       pooler: "), (try Database.testURL, "come over WAYPOST_DIRECT_URL"),
                (try Database.testURL.replacing(/\/waypost_test_\w+/, with: "/postgres"), "leads to another database"),
                ("postgresql://nobody@127.0.0.1:1/x", "WAYPOST_DIRECT_URL can't be reached"),
            ] {
                let outcome = try await program.run(
                    "doctor", environment: ["DATABASE_URL": url, "WAYPOST_DIRECT_URL": direct])
                #expect(outcome.output.contains(words), "\(outcome)")
            }
        }
    }

    @Test func `a standby is reported, and what is wrong with it`() async throws {
        defer { program.remove() }
        try await Database.replicated { standby in
            for (url, words) in [
                (standby.url, "ok       standby: answers reads of the API"),
                (standby.url(of: "postgres"), "problem  standby: WAYPOST_READ_URL leads to another database"),
                (try Database.testURL, "problem  standby: WAYPOST_READ_URL leads to a server that is not a standby"),
                ("postgresql://nobody@127.0.0.1:1/x", "warning  standby: WAYPOST_READ_URL can't be reached"),
            ] {
                let outcome = try await program.run(
                    "doctor", environment: ["DATABASE_URL": Database.testURL, "WAYPOST_READ_URL": url])
                #expect(outcome.output.contains(words), "\(outcome)")
            }
        }
    }

    @Test func `a locked table is reported with the session that holds the lock`() async throws {
        defer { program.remove() }
        let (locked, examined) = (Rendezvous(of: 2), Rendezvous(of: 2))
        // On a busy machine the doctor may take longer than the usual limit of an idle transaction.
        var options = Database.Options(size: 1)
        options.idleInTransactionLimit = .seconds(600)
        let database = Database(url: try Database.testURL, options: options)
        async let holder: Void = database.transaction { db in
            try db.query("LOCK TABLE lanes")
            locked.arriveAndWait()
            examined.arriveAndWait()
        }
        await locked.arrive()
        let outcome = try await waypost("doctor")
        await examined.arrive()
        try await holder
        await database.close()
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("problem  locks: another session has locked a table"), "\(outcome)")
        #expect(outcome.output.contains("(waypost) is idle in a transaction that has been open for"), "\(outcome)")
        #expect(outcome.output.contains("SELECT pg_terminate_backend("))
    }
}
