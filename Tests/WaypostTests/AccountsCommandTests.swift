import DatabaseTesting
import Foundation
import Locations
import Postgres
import Sinks
import Testing
import Tracking

@Suite(.database)
struct AccountsCommandTests: CommandSuite {
    let program = Program()

    private func succeed(_ line: String) async throws { try await waypost(line).expect(0) }

    /// Gives an account some rows in every table. A contact with a position has a pin.
    private func fill(_ account: String) async throws {
        try program.write(
            """
            name,street,city,country,latitude,longitude
            Ada,1 Main St,Reno,US,39.5,-119.8
            Bob,2 Oak St,Reno,US,,
            """, to: "contacts.csv")
        try await succeed("import contacts.csv --account \(account)")
        try await succeed("tokens create phone --account \(account) --scope track")
        try await Database.test.query(
            """
            WITH lane AS (INSERT INTO lanes (name, kind) VALUES (\("upload:" + account), 'upload') RETURNING id)
            INSERT INTO sinks (account, name, kind, lane, is_default)
            SELECT accounts.id, \("log-" + account), 'webhook', lane.id, true FROM accounts, lane WHERE name = \(account)
            """)
        try await succeed("trackers start ada --account \(account) --since 2026-11-01")
        try await Database.test.run { db in
            let number: Int = try db.query("SELECT id FROM accounts WHERE name = \(account)")[0].read("id")
            let fix = Fix(id: "a", lat: 60.17, lng: 24.94, accuracy: 5, timestamp: 1_793_527_200)
            _ = try TrackerStore().record([UserFix(fix, of: "ada")], account: number, on: db)
            try db.query(
                """
                INSERT INTO idempotency_keys (account, key, request_hash, status, headers)
                SELECT id, 'key', sha256('x'), 200, '{}' FROM accounts WHERE name = \(account)
                """)
        }
    }

    @Test func `accounts are created, listed with their counts, and renamed`() async throws {
        try await waypost("accounts list").expect(has: "There is no account")
        try await succeed("accounts create empty")
        try await waypost("accounts create empty").expect(1, error: "there is already an account called \"empty\"")
        try await fill("ada")
        let list = try #require(try await json("accounts list") as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == ["ada", "empty"])
        for (name, count) in [("friends", 2), ("addresses", 2), ("tokens", 1), ("trackers", 1), ("sinks", 1)] {
            #expect(list.map { $0[name] as? Int } == [count, 0], "\(name)")
        }
        #expect(try await waypost("accounts list").output.contains(/ada +default +2 +2 +1 +1 +1/))

        try await waypost("accounts rename ada empty").expect(1, error: "there is already an account called \"empty\"")
        try await succeed("accounts rename ada lovelace")
        try await waypost("accounts rename ada byron").expect(1, error: "there is no account called \"ada\"")
        try await waypost("tokens list").expect(has: "lovelace")
        let log = try await waypost("log --verb accounts").output
        for verb in ["accounts.create", "accounts.rename"] { #expect(log.contains(verb), "\(log)") }
    }

    @Test func `the address of the database and its password may come from files`() async throws {
        let path = program.folder + "/url"
        try program.write(Database.testURL + "\n", to: "url")
        try program.write("hunter2\n", to: "password")
        let secrets = ["DATABASE_URL_FILE": path, "PGPASSWORD_FILE": program.folder + "/password"]
        let created = try await program.run("accounts create ada", environment: secrets).expect(0)
        #expect(created.error.hasPrefix("Database: "))
        try await program.run("accounts list", environment: secrets.merging(["DATABASE_URL": Database.testURL]) { $1 })
            .expect(2, error: "DATABASE_URL and DATABASE_URL_FILE are both set; keep one of them")
        try await program.run("geocode", "Reno, US", "--temporary", environment: secrets).expect(0)
    }

    @Test func `the default account can't be renamed or deleted, and a large change is confirmed`() async throws {
        for words in [["rename", "default", "other"], ["delete", "default", "--yes"]] {
            try await waypost(["accounts"] + words).expect(2, error: "can't be renamed or deleted")
        }
        try await waypost("accounts delete ada --yes").expect(1, error: "there is no account called \"ada\"")
        try await fill("ada")
        try await waypost("accounts delete ada").expect(
            2, error: "with 2 friends, 2 addresses, 1 token, 1 tracker, 1 fix, 1 location and 1 sink?")
        #expect(try await rows(of: "ada")["friends"] == 2)
    }

    @Test func `deleting an account deletes its rows in every table, and no others`() async throws {
        try await fill("ada")
        try await waypost("accounts delete ada --yes").expect(1, error: "create one for another account first")
        #expect(try await rows(of: "ada")["tokens"] == 1)

        try await fill("bob")
        let before = try await rows(of: "bob")
        let number = try await number(of: "ada")
        try await Database.test.query(
            "UPDATE friends SET deleted_at = now() WHERE name = 'Bob' AND account = \(number)::integer")
        try await waypost("accounts delete ada --yes").expect(
            0,
            prints:
                "Deleted the account ada, with 2 friends, 2 addresses, 1 token, 1 tracker, 1 fix, 1 location and 1 sink.\n"
        )
        #expect(try await rows(ofAccount: number).filter { $0.value > 0 } == [:])
        #expect(try await rows(of: "bob") == before)
        for table in ["friends", "addresses", "geocodes", "tokens", "trackers", "fixes", "sinks", "imports"] {
            #expect(before[table].map { $0 > 0 } == true, "\(table)")
        }
        try await waypost("log --verb accounts.delete").expect(has: "friends 2")
    }

    @Test func `a deletion starts again when a friend is added meanwhile`() async throws {
        try await fill("ada")
        try await fill("bob")
        let number = try await number(of: "ada")
        // On the first deletion, adds a friend right before the account is deleted.
        try await Database.test.run(
            script: """
                CREATE SEQUENCE late;
                CREATE FUNCTION add_a_late_friend() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF nextval('late') = 1 THEN
                        INSERT INTO friends (account, source_key, name) VALUES (OLD.account, 'late', 'Late');
                    END IF;
                    RETURN NULL;
                END
                $$;
                CREATE TRIGGER late AFTER DELETE ON imports FOR EACH ROW EXECUTE FUNCTION add_a_late_friend();
                """)
        try await succeed("accounts delete ada --yes")
        #expect(try await rows(ofAccount: number).filter { $0.value > 0 } == [:])
    }

    private func number(of account: String) async throws -> Int {
        try await Database.test.query("SELECT id FROM accounts WHERE name = \(account)")[0].read("id")
    }

    private func rows(of account: String) async throws -> [String: Int] {
        try await rows(ofAccount: number(of: account))
    }

    /// The number of an account's rows in each table with a column for the account.
    private func rows(ofAccount number: Int) async throws -> [String: Int] {
        try await Database.test.run { db in
            let columns = try db.query(
                """
                SELECT relname, attname
                FROM pg_attribute
                JOIN pg_class ON pg_class.oid = attrelid
                WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                  AND (attname IN ('account', 'owner') OR relname = 'accounts' AND attname = 'id') AND atttypid = 'int'::regtype
                """
            ).map { (try $0.read("relname", as: String.self), try $0.read("attname", as: String.self)) }
            var rows: [String: Int] = [:]
            for (table, column) in columns {
                let count = try db.query(
                    """
                    SELECT (xpath('//count/text()', query_to_xml(
                        format('SELECT count(*) FROM %I WHERE %I = %s', \(table)::text, \(column)::text, \(number)::text),
                        false, true, '')))[1]::text::bigint AS count
                    """)
                rows[table] = try count[0].read("count")
            }
            return rows
        }
    }
}
