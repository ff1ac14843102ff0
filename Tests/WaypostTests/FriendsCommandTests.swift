import DatabaseTesting
import Foundation
import Postgres
import Testing

@Suite(.database)
struct FriendsCommandTests: CommandSuite {
    let program = Program()

    /// Ada has a located address and a waiting one; Bob's was not found. Returns their ids.
    private func importSome() async throws -> (ada: String, bob: String) {
        try program.write(
            """
            id,name,label,street,city,country,work street,work city
            1,Ada,home,Marienplatz 1,München,Deutschland,1 Main St,Reno
            2,Bob,work,Mannerheimintie 1,Helsinki,Finland,,
            """, to: "contacts.csv")
        try await waypost("import contacts.csv --account family --feed book").expect(0)
        return try await Database.test.run { db in
            try db.run(
                script: """
                    UPDATE geocodes SET status = 'located', job = NULL, latitude = 48.1, longitude = 11.6,
                        precision = 'rooftop', confidence = 0.9, provider = 'gazetteer' WHERE city = 'München';
                    UPDATE geocodes SET status = 'not_found', job = NULL, provider = 'gazetteer' WHERE city = 'Helsinki';
                    """)
            let ids: [Int] = try db.query("SELECT id FROM friends ORDER BY source_key").map { try $0.read("id") }
            return ("\(ids[0])", "\(ids[1])")
        }
    }

    @Test func `show prints each address with its place, or why it waits`() async throws {
        let (ada, _) = try await importSome()
        let shown = try await waypost("friends show", ada)
        for text in ["Ada", "id:1", "family", "book", "48.1,11.6", "rooftop", "0.9", "no worker serves lane gazetteer"]
        {
            #expect(shown.output.contains(text), "\(text): \(shown.output)\(shown.error)")
        }
        let json = try #require(try await json("friends show", ada) as? [String: Any])
        let addresses = try #require(json["addresses"] as? [[String: Any]])
        #expect(addresses.map { $0["status"] as? String } == ["located", "waiting"])
        #expect((addresses[1]["why"] as? String)?.contains("no worker") == true)
    }

    @Test func `list finds friends by the state of an address`() async throws {
        let (_, bob) = try await importSome()
        let found = try #require(try await json("friends list --account family --status not_found") as? [[String: Any]])
        #expect(found.map { $0["id"] as? Int } == [Int(bob)])
        let first = try await waypost("friends list --account family --limit 1")
        #expect(first.output.contains("1 waiting, 1 located") && !first.output.contains("Bob"), "\(first.output)")
        #expect(first.error.contains("There are more"))
        try await waypost("friends list --account nobody").expect(1, error: "there is no account called \"nobody\"")
    }

    @Test func `list shows only the friends of its account`() async throws {
        _ = try await importSome()
        try program.write("id,name,city\n1,Cleo,Reno\n", to: "club.csv")
        try await waypost("import club.csv --account club").expect(0)
        for (account, names) in [("family", ["Ada", "Bob"]), ("club", ["Cleo"])] {
            let listed = try #require(try await json("friends list --account", account) as? [[String: Any]])
            #expect(listed.compactMap { $0["name"] as? String }.sorted() == names)
        }
    }

    @Test func `a friend's addresses go first, and failed ones are asked again`() async throws {
        let (ada, bob) = try await importSome()
        try await waypost("friends geocode", ada).expect(prints: "1 address goes first now.\n")
        #expect(try await waypost("friends geocode", bob).output.hasPrefix("No address of friend \(bob) waits"))
        #expect(try await waypost("friends retry", bob).output.hasPrefix("1 address is asked again"))
        #expect(try await waypost("friends retry", ada).output.hasPrefix("No address of friend \(ada)"))
        let priorities = try await Database.test.run { db in
            try db.query("SELECT DISTINCT priority FROM jobs JOIN geocodes ON job = jobs.id").map {
                try $0.read("priority", as: Int.self)
            }
        }
        #expect(priorities.allSatisfy { $0 > 0 } && !priorities.isEmpty)
        for verb in ["show", "geocode", "retry"] {
            try await waypost("friends", verb, "4711").expect(1, error: "there is no friend 4711")
        }
    }

    @Test func `purge asks first and deletes only friends removed long enough ago`() async throws {
        _ = try await importSome()
        try await Database.test.run { db in
            try db.run(script: "UPDATE friends SET deleted_at = now() - interval '40 days' WHERE name = 'Ada'")
            try db.run(script: "UPDATE friends SET deleted_at = now() - interval '20 days' WHERE name = 'Bob'")
        }
        #expect(try await waypost("friends purge --older-than 50d").output.hasPrefix("No friend was"))
        try await waypost("friends purge --older-than 30d").expect(
            2, error: "Delete 1 friend for good? There is no terminal")
        try await waypost("friends purge --older-than 30d --yes").expect(prints: "Deleted 1 friend.\n")
        let left = try await Database.test.query("SELECT name FROM friends").map {
            try $0.read("name", as: String.self)
        }
        #expect(left == ["Bob"])
    }
}
