import DatabaseTesting
import Foundation
import Postgres
import Testing

/// A name in two spellings, which Swift takes for equal and PostgreSQL does not. A terminal of macOS sends another one
/// than one of Linux. `NameFormTests` has the HTTP doors.
@Suite(.database)
struct NameCommandTests: CommandSuite {
    let program = Program()

    @Test(arguments: [("José", "Jose\u{301}"), ("Kim", "\u{212A}im")])
    func `an account, a user, a feed and a key are found in each spelling`(_ name: String, _ other: String)
        async throws
    {
        try await waypost("accounts create", other).expect(0)
        try await waypost("accounts create", name).expect(1, error: "there is already an account")
        for (user, account) in [(name, other), (other, name)] {
            try await waypost("trackers start", user, "--account", account).expect(0)
            try await waypost("trackers show", user, "--account", account).expect(0)
            try await waypost("locations list --user", user, "--account", account).expect(0)
            try await waypost("tokens create phone --account", account, "--scope", "track", "--user", user).expect(0)
        }
        for key in [name, other] {
            try program.write("id,name,city,country\n\(key),Ada,Reno,US\n", to: "contacts.csv")
            let words = ["import", "contacts.csv", "--account", other, "--feed", key, "--complete"]
            try await waypost(words).expect(0)
        }
        try program.write(
            "id,name,city,country\n\(key(name)),Ada,Reno,US\n\(key(other)),Ada,Reno,US\n", to: "twice.csv")
        try await waypost("import twice.csv --account", name).expect(1, error: "same id")
        try await waypost("friends list --account", name, "--feed", other, "--json").expect(has: "Ada")

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
