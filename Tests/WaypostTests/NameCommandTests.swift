import DatabaseTesting
import Foundation
import Postgres
import Testing

/// A name in two spellings, which Swift takes for equal and PostgreSQL does not. A terminal of macOS sends another one
/// than one of Linux. `NameFormTests` has the HTTP doors.
@Suite(.database)
struct NameCommandTests: CommandSuite {
    let program: Program

    init() throws {
        program = try Program()
    }

    @Test(arguments: [("José", "Jose\u{301}"), ("Kim", "\u{212A}im")])
    func `an account, a user, a feed and a key are found in each spelling`(_ name: String, _ other: String)
        async throws
    {
        defer { program.remove() }
        #expect(try await waypost("accounts", "create", other).code == 0)
        let twice = try await waypost("accounts", "create", name)
        #expect(twice.code == 1 && twice.error.contains("there is already an account"))
        for (user, account) in [(name, other), (other, name)] {
            let started = try await waypost("trackers", "start", user, "--account", account)
            #expect(started.code == 0, "\(started.error)")
            #expect(try await waypost("trackers", "show", user, "--account", account).code == 0)
            #expect(try await waypost("locations", "list", "--user", user, "--account", account).code == 0)
            let token = try await waypost(
                "tokens", "create", "phone", "--account", account, "--scope", "track", "--user", user)
            #expect(token.code == 0, "\(token.error)")
        }
        for key in [name, other] {
            try program.write("id,name,city,country\n\(key),Ada,Reno,US\n", to: "contacts.csv")
            let words = ["import", "contacts.csv", "--account", other, "--feed", key, "--complete"]
            #expect(try await waypost(words).code == 0)
        }
        try program.write(
            "id,name,city,country\n\(key(name)),Ada,Reno,US\n\(key(other)),Ada,Reno,US\n", to: "twice.csv")
        let refused = try await waypost("import", "twice.csv", "--account", name)
        #expect(refused.code == 1 && refused.error.contains("same id"), "\(refused.error)")
        #expect(
            try await waypost("friends", "list", "--account", name, "--feed", other, "--json").output.contains("Ada"))

        let counts = try await Database.test.run { db in
            try db.query(
                """
                SELECT (SELECT count(*) FROM accounts WHERE name <> 'default') AS accounts,
                       (SELECT count(*) FROM trackers) AS trackers, (SELECT count(*) FROM friends) AS friends,
                       (SELECT count(DISTINCT user_id) FROM tokens) AS users,
                       (SELECT count(DISTINCT feed) FROM friends WHERE source_key NOT LIKE '%again') AS feeds
                """
            ).map { row in
                try ["accounts", "trackers", "friends", "users", "feeds"].map { try row.read($0, as: Int.self) }
            }
        }
        #expect(counts == [[1, 1, 2, 1, 1]])
    }

    private func key(_ name: String) -> String { name + " again" }
}
