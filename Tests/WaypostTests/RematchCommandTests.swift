import DatabaseTesting
import Foundation
import Postgres
import Testing

@Suite(.database)
struct RematchCommandTests: CommandSuite {
    let program = Program()

    @Test func `a rematch prints its cost first, and the places stay`() async throws {
        try await Database.test.run(
            script: """
                UPDATE lanes SET price_per_1000_calls = 5, currency = 'USD', batch = 1 WHERE name = 'gazetteer';
                INSERT INTO accounts (name) VALUES ('family');
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude,
                    precision, confidence, provider, geocoded_at)
                SELECT sha256(n::text::bytea), n || ' Main St', 'Reno', '', '', 'US', 'located', 39.5, -119.8, 'city',
                    n * 0.2, 'gazetteer', now()
                FROM generate_series(1, 3) AS n;
                INSERT INTO friends (account, source_key, name) SELECT id, 'a', 'Ada' FROM accounts;
                INSERT INTO addresses (friend, position, street, city, country, hash, country_code)
                SELECT friends.id, geocodes.id, street, city, country, hash, 'US' FROM friends, geocodes
                """)
        // A town is a weak answer for a house, however high its confidence.
        try await Database.test.query("UPDATE geocodes SET is_weak = true WHERE confidence > 0.5")
        #expect(try await waypost("rematch --weak --dry-run").output.hasPrefix("1 question to ask again.\n"))
        #expect(try await waypost("stats").output.hasPrefix("1 friend with 3 addresses, of which 3 are distinct;"))
        // A question without an address.
        try await Database.test.query(
            """
            INSERT INTO geocodes (hash, street, city, region, postcode, country, at_latitude, at_longitude)
            VALUES (sha256('x'), '', '', '', '', '', 60, 24)
            """)
        try await waypost("stats").expect(has: "of which 3 are distinct;")
        // Of very many addresses the distinct ones are not counted.
        try await Database.test.query(
            """
            INSERT INTO address_tallies (account, status, is_weak, addresses, changes)
            SELECT id, 'located', false, 200000, 1 FROM accounts
            """)
        #expect(try await !waypost("stats").output.contains("distinct"))
        try await Database.test.query("UPDATE geocodes SET is_weak = false")
        let words = ["rematch", "--below", "0.5", "--country", "US", "--provider", "gazetteer", "--account", "family"]
        let dry = try await waypost(words + ["--dry-run"])
        #expect(
            dry.output == """
                2 questions to ask again.
                LANE       CALLS  AT THE LIMITS  COST
                gazetteer      2  no limits      0.01 USD
                In all 2 calls, 0.01 USD: the least if the first provider has every answer, the most if every provider is \
                called in every step.

                """)
        #expect(try await waypost(words).code != 0)
        try await waypost("rematch --progress").expect(prints: "No question is being asked again.\n")
        let asked = try await waypost(words + ["--yes"])
        #expect(asked.output.hasPrefix("2 questions are asked again. Places stay"))
        try await waypost("rematch --progress").expect(prints: "2 questions are being asked again.\n")
        #expect(try await waypost("rematch --friend 1").output.hasPrefix("1 address is asked again"))
        #expect(try await waypost("rematch --friend 99").code != 0)
        for wrong in [["rematch"], ["rematch", "--all", "--below", "1"], ["rematch", "--friend", "1", "--all"]] {
            try await waypost(wrong).expect(2)
        }
        try await waypost("log").expect(has: "cache.rematch")
        let places = try await Database.test.query(
            "SELECT count(*) AS number FROM addresses WHERE place_status = 'located'")[0].read("number", as: Int.self)
        #expect(places == 3)

        let report = try await waypost("chains report default")
        #expect(
            report.output == """
                CHAIN    LANE       ASKED  RESOLVED  WEAK  SHARE  CALLS  COST
                default  gazetteer      3         3     0  100 %      3  0.02 USD
                Of 3 questions whose answers are kept. Calls repeated after faults, and for answers that are gone, are not in it.

                """)
        let reports = try #require(try await json("chains report") as? [[String: Any]])
        #expect(reports.map { $0["chain"] as? String } == ["default", "reverse"])
    }

    @Test func `without a cluster, the folder's private server is started for the command`() async throws {
        try program.write("name,street,city,country\nAda,Hamngatan 1,Stockholm,SE\n", to: "a.csv")
        try await program.run("geocode a.csv -o b.csv").expect(0)
        let rematch = try await program.run("rematch --weak --yes")
        #expect(rematch.output.hasPrefix("1 question is asked again."), "\(rematch)")
        try await program.run("rematch --progress").expect(prints: "No question is being asked again.\n")
        for words in [
            ["review", "list"], ["chains", "list"], ["lanes", "list"], ["lanes", "limit", "gazetteer", "9/s"],
        ] {
            try await program.run(words).expect(0)
        }
        try await program.run("lanes list").expect(has: "9/s")
        // No process is left running.
        try await program.run("doctor").expect(error: "there is no database")
    }
}
