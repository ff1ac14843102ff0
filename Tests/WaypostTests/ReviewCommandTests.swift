import DatabaseTesting
import Foundation
import Postgres
import Testing

@Suite(.database)
struct ReviewCommandTests: CommandSuite {
    let program = Program()

    /// Question 1 needs review, with two candidates; 2 was not found; 3 is located.
    private func askSome() async throws {
        func candidate(_ provider: String, _ precision: String, _ confidence: Double, _ rest: String) -> String {
            """
            {"placemark":{"coordinate":{"latitude":39.5,"longitude":-119.8},"locality":"Reno","countryCode":"US"},
            "precision":"\(precision)","confidence":\(confidence),"provider":"\(provider)",\(rest)}
            """
        }
        let candidates =
            "[" + candidate("nominatim", "street", 0.62, "\"step\":\"free form\",\"isLent\":false") + ","
            + candidate("apple", "city", 0.5, "\"days\":1,\"isLent\":true") + "]"
        let trail = "[{\"lane\":\"gazetteer\",\"step\":\"structured\",\"result\":\"found city at 0.3\",\"at\":\"now\"}]"
        try await Database.test.transaction { db in
            try db.query(
                """
                INSERT INTO geocodes (hash, street, city, region, postcode, country)
                SELECT sha256(n::text::bytea), n || ' Main St', 'Reno', 'NV', '', 'US' FROM generate_series(1, 3) AS n
                """)
            try db.query(
                """
                UPDATE geocodes SET status = 'needs_review', candidates = \(candidates)::jsonb, confidence = 0.62,
                    trail = \(trail)::jsonb, provider = 'nominatim', geocoded_at = now() - interval '40 days'
                WHERE id = 1
                """)
            try db.query(
                """
                UPDATE geocodes SET status = 'not_found', provider = 'nominatim', geocoded_at = now(),
                    expires_at = now() + interval '90 days'
                WHERE id = 2
                """)
            try db.query(
                """
                UPDATE geocodes SET status = 'located', provider = 'gazetteer', latitude = 1, longitude = 2,
                    precision = 'city', confidence = 0.4, geocoded_at = now() - interval '40 days'
                WHERE id = 3
                """)
        }
    }

    private func statuses() async throws -> [String] {
        try await Database.test.query(
            """
            SELECT concat_ws(' ', status, provider, CASE WHEN expires_at <= now() THEN 'expired' END) AS text
            FROM geocodes ORDER BY id
            """
        ).map { try $0.read("text") }
    }

    @Test func `a missing object is named, and exits with 1`() async throws {
        try await askSome()
        for (words, reason) in [
            (["chains", "show", "nowhere"], "there is no chain called \"nowhere\""),
            (["chains", "set", "fresh", "nowhere"], "there is no lane called \"nowhere\""),
            (["chains", "set", "fresh", "--located", "0.5"], "there is no chain called \"fresh\""),
            (["chains", "use", "nowhere", "--account", "ada"], "there is no chain called \"nowhere\""),
            (["chains", "use", "default", "--account", "ada"], "there is no account called \"ada\""),
            (["review", "show", "99"], "there is no question 99"),
            (["review", "accept", "99"], "there is no question 99"),
            (["review", "accept", "1", "3"], "there is no candidate 3: question 1 has 2"),
            (["review", "accept", "3"], "question 3 has no candidates: it is located"),
            (["review", "reject", "99"], "there is no question 99"),
            (["review", "reject", "2"], "question 2 needs no review: it is not found"),
            (["review", "pin", "99", "1,2"], "there is no question 99"),
        ] {
            try await waypost(words).expect(1, prints: "", error: reason)
        }
        #expect(try await statuses() == ["needs_review nominatim", "not_found nominatim", "located gazetteer"])
    }

    @Test func `a decision is undone once`() async throws {
        try await askSome()
        try await waypost("review undo 1").expect(error: "has no decision of the last 30 days")
        _ = try await waypost("review accept 1 2")
        try await waypost("review undo 1").expect(prints: "Question 1 stands as it did before: needs review.\n")
        #expect(try await statuses()[0] == "needs_review nominatim")
        _ = try await waypost("review pin 3 1,2")
        try await Database.test.query("UPDATE geocodes SET latitude = 3 WHERE id = 3")
        try await waypost("review undo 3").expect(1, error: "has another answer since the decision")
        try await waypost("review undo 99").expect(error: "there is no question 99")
    }

    @Test func `a chain is shown as the command that creates it`() async throws {
        let link = "gazetteer:countries=DE,AT:below=0.6:stop=rooftop:steps=structured,free form"
        let set = try await waypost("chains set fresh", link, "gazetteer", "--located", "0.8", "--no-shared-houses")
        let command =
            "waypost chains set fresh '\(link)' gazetteer --located 0.8 --review 0.4 --keep-not-found 90 --keep-failed 7 "
            + "--no-shared-houses --pause 0s --line postcode_first\n"
        #expect(set.output == command, "\(set.error)")
        let unchanged = try await waypost("chains set fresh --keep-failed 3")
        #expect(unchanged.output == command.replacing("failed 7", with: "failed 3"))
        #expect(try await waypost("chains show fresh").output == unchanged.output)
        let slow = try await waypost("chains set fresh --pause 1m --line city_first")
        #expect(slow.output.hasSuffix("--no-shared-houses --pause 60s --line city_first\n"), "\(slow.error)")
        try await waypost("chains set fresh --line name_first").expect(2)
        _ = try await waypost("chains set fresh --pause 0s --line postcode_first")
        let back = try await waypost("chains set fresh gazetteer:countries=germany --shared-houses").expect(
            has: "fresh gazetteer:countries=DE --located 0.8")
        #expect(back.output.hasSuffix("--keep-failed 3 --shared-houses --pause 0s --line postcode_first\n"))
        let list = try #require(try await json("chains list") as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == ["default", "fresh", "reverse"])
        let shown = try #require(try await json("chains show fresh") as? [String: Any])
        #expect((shown["links"] as? [[String: Any]])?.first?["countries"] as? [String] == ["DE"])
        try await waypost("chains list").expect(has: "gazetteer:countries=DE")
    }

    @Test func `a chain that would never need review is refused`() async throws {
        try await waypost("chains set default --review 0.9").expect(2, error: "--review 0.9 is above --located 0.75")
        try await waypost("chains show default").expect(has: "--review 0.4")
    }

    @Test func `an account uses another chain from now on`() async throws {
        _ = try await waypost("chains set fresh gazetteer")
        try await Database.test.query("INSERT INTO accounts (name) VALUES ('ada')")
        try await waypost("chains use fresh --account ada").expect(
            prints: "New addresses of ada go along chain fresh now.\n")
        let row = try await Database.test.query("SELECT chain FROM accounts WHERE name = 'ada'")[0]
        #expect(try row.read("chain") == "fresh")
    }

    @Test func `a question is shown with its candidates and the providers called`() async throws {
        try await waypost("review list").expect(prints: "No question needs review.\n")
        try await askSome()
        let list = try await waypost("review list").output.split(separator: "\n")
        #expect(list.count == 2)
        for text in ["1 Main St, Reno, NV, US", " 2 ", "street", "0.62", "nominatim"] {
            #expect(list[1].contains(text))
        }
        try await waypost("review list --after 1").expect(prints: "No question needs review.\n")
        let shown = try await waypost("review show 1").output
        for text in [
            "needs review", "RENO, UNITED STATES", "nominatim, free form", "39.5,-119.8", "apple", "gazetteer",
            "found city at 0.3",
        ] {
            #expect(shown.contains(text), "\(shown)")
        }
        let listed = try #require(try await json("review list") as? [[String: Any]])
        let known = try #require(try await json("review show 1") as? [String: Any])
        #expect(listed as NSArray == [known] as NSArray)
        #expect((known["candidates"] as? [[String: Any]])?.map { $0["provider"] as? String } == ["nominatim", "apple"])
        #expect((known["calls"] as? [[String: Any]])?.first?["lane"] as? String == "gazetteer")
    }

    @Test func `a person accepts a candidate by its number, by default the first`() async throws {
        try await askSome()
        try await waypost("review accept 1").expect(
            prints: "Question 1 is located now, by candidate 1: street, found by nominatim.\n")
        #expect(try await statuses()[0] == "located nominatim")
        try await Database.test.query("TRUNCATE geocodes RESTART IDENTITY CASCADE")
        try await askSome()
        #expect(
            try await waypost("review accept 1 2").output
                == "Question 1 is located now, by candidate 2: city, found by apple. "
                + "Its provider's terms let it stay for 1 day.\n")
        #expect(try await statuses()[0] == "located apple")
    }

    @Test func `a person rejects a question or pins its position`() async throws {
        try await askSome()
        try await waypost("review reject 1").expect(prints: "Question 1 is not found now, and is not asked again.\n")
        #expect(try await statuses()[0] == "not_found nominatim")
        try await waypost("review pin 2 -33.86,151.2").expect(
            prints: "Question 2 is pinned to -33.86,151.2 now, and no provider overrides it.\n")
        let shown = try await waypost("review show 2").output
        #expect(shown.contains("located, by a person"), "\(shown)")
        #expect(shown.contains("-33.86,151.2"))
    }

    @Test func `answers are counted by provider and status`() async throws {
        try await waypost("cache stats").expect(prints: "No answer is stored.\n")
        try await askSome()
        let table = try await waypost("cache stats").output.split(separator: "\n")
        #expect(table.count == 4)
        #expect(table[1].hasPrefix("gazetteer  located") && table[1].hasSuffix("40 d"))
        let rows = try #require(try await json("cache stats") as? [[String: Any]])
        #expect(rows.map { $0["status"] as? String } == ["located", "needs_review", "not_found"])
        #expect(rows.map { $0["expiring"] as? Int } == [0, 0, 1])
    }

    @Test func `answers expire by provider, status and age, and only after confirmation`() async throws {
        try await askSome()
        let words = ["cache", "expire", "--provider", "nominatim", "--older", "30d"]
        try await waypost(words).expect(2, error: "Expire 1 answer? There is no terminal to confirm it; use --yes")
        try await waypost(words + ["--status", "failed"]).expect(prints: "No answer matches.\n")
        try await waypost(words + ["--yes"]).expect(prints: "1 answer expired.\n")
        #expect(try await statuses() == ["needs_review nominatim expired", "not_found nominatim", "located gazetteer"])
    }

    @Test func `answers that no address uses are purged in steps, and others stay`() async throws {
        try await askSome()
        try await Database.test.run { db in
            try db.query("INSERT INTO accounts (name) VALUES ('ada')")
            try db.query("INSERT INTO friends (account, source_key, name) VALUES (1, 'x', 'x')")
            try db.query(
                """
                INSERT INTO addresses (friend, position, label, street, city, region, postcode, country, hash)
                SELECT friends.id, 1, '', street, city, region, postcode, country, hash
                FROM geocodes, friends WHERE geocodes.id = 3
                """)
            try db.query(
                """
                INSERT INTO geocodes (hash, street, city, region, postcode, country, status, provider, geocoded_at)
                SELECT sha256(n::text::bytea), '', 'x', '', '', '', 'not_found', 'old', now() - interval '1 day'
                FROM generate_series(4, 2100) AS n
                """)
        }
        try await waypost("cache purge --provider old").expect(error: "Delete 2,097 unused answers?")
        try await waypost("cache purge --provider old --yes").expect(prints: "Deleted 2,097 answers.\n")
        try await waypost("cache purge --all --yes").expect(prints: "Deleted 2 answers.\n")
        #expect(try await statuses() == ["located gazetteer"])
        try await waypost("cache purge --all").expect(prints: "No unused answer matches.\n")
    }
}
