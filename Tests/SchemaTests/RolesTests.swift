import DatabaseTesting
import Polling
import Postgres
import Schema
import Testing

/// The roles of sql/roles.sql attempt forbidden statements.
@Suite(.database)
struct RolesTests {
    /// The SQLSTATE of the refusal; nil if the role may run the script.
    private func refusal(_ role: String, _ script: String) async throws -> String? {
        let database = try Database.test(as: role)
        defer { Task { await database.close() } }
        do {
            // Rolled back, so that an attempt does not affect the next one.
            try await database.run { try $0.run(script: "BEGIN; \(script); ROLLBACK") }
            return nil
        } catch let error as DatabaseError { return error.sqlState }
    }

    private static let forbidden = [
        ("waypost_worker", "SELECT name FROM friends"),
        ("waypost_worker", "SELECT name FROM accounts"),
        ("waypost_worker", "SELECT label FROM addresses"),
        ("waypost_worker", "UPDATE addresses SET street = 'x'"),
        ("waypost_worker", "DELETE FROM addresses"),
        ("waypost_worker", "INSERT INTO friends (account, source_key, name) VALUES (1, 'k', 'n')"),
        ("waypost_worker", "DELETE FROM geocodes"),
        ("waypost_worker", "DELETE FROM lanes"),
        ("waypost_worker", "DELETE FROM calls"),
        ("waypost_worker", "UPDATE chains SET name = 'x'"),
        ("waypost_worker", "SELECT FROM tokens"),
        ("waypost_worker", "SELECT bearer_of_token(1, '')"),
        ("waypost_worker", "SELECT note_use_of_token(1, '')"),
        ("waypost_worker", "DELETE FROM calls_default"),
        ("waypost_worker", "SELECT keep_call_partitions(1, '-100 days')"),
        ("waypost_worker", "SELECT keep_call_partitions(1, '0 days')"),
        ("waypost_worker", "SELECT keep_call_partitions(1, '1 day 23 hours')"),
        ("waypost_worker", "SELECT keep_call_partitions(100000, '7 days')"),
        ("waypost_worker", "SELECT keep_location_partitions(1, '-100 days')"),
        ("waypost_worker", "SELECT keep_location_partitions(1, '23 hours')"),
        ("waypost_worker", "SELECT keep_location_partitions(100000, NULL)"),
        ("waypost_worker", "SELECT settle_addresses('{1}')"),
        ("waypost_worker", "SELECT settle_geocodes('{1}')"),
        ("waypost_worker", "SELECT friends_named('a', true, true, 10, 0)"),
        ("waypost_worker", "SELECT FROM idempotency_keys"),
        ("waypost_worker", "UPDATE schema_migrations SET number = 0"),
        ("waypost_worker", "UPDATE schema_functions SET fingerprint = ''"),
        ("waypost_worker", "DELETE FROM point_sets"),
        ("waypost_worker", "UPDATE point_streets SET numbers = '{}'"),
        ("waypost_api", "UPDATE point_streets SET numbers = '{}'"),
        ("waypost_api", "DELETE FROM jobs"),
        ("waypost_worker", "CREATE TABLE mine (id integer)"),
        ("waypost_worker", "DROP TABLE jobs"),
        ("waypost_worker", "ALTER TABLE friends DISABLE ROW LEVEL SECURITY"),
        ("waypost_worker", "TRUNCATE jobs"),
        ("waypost_api", "SELECT street FROM geocodes"),
        ("waypost_api", "SELECT candidates FROM geocodes"),
        ("waypost_api", "SELECT * FROM geocodes"),
        ("waypost_api", "UPDATE geocodes SET street = 'x'"),
        ("waypost_api", "UPDATE geocodes SET status = 'located'"),
        ("waypost_api", "UPDATE geocodes SET precision = 'rooftop'"),
        ("waypost_api", "UPDATE geocodes SET placemark = '{}'"),
        ("waypost_api", "UPDATE geocodes SET candidates = '[]'"),
        ("waypost_api", "UPDATE geocodes SET expires_at = NULL"),
        ("waypost_api", "DELETE FROM geocodes"),
        ("waypost_api", "SELECT FROM sleepers"),
        ("waypost_api", "DELETE FROM sleepers"),
        ("waypost_api", "SELECT add_up_tallies()"),
        ("waypost_api", "SELECT settle_left_overs(1)"),
        ("waypost_api", "SELECT settle_addresses('{1}')"),
        ("waypost_api", "SELECT keep_location_partitions(1, '2 days')"),
        ("waypost_api", "SELECT FROM tokens"),
        ("waypost_api", "INSERT INTO tokens (account, name, hash, scopes) VALUES (1, 'x', sha256('x'), '{admin}')"),
        ("waypost_api", "UPDATE tokens SET scopes = '{admin}'"),
        ("waypost_api", "INSERT INTO accounts (name) VALUES ('mine')"),
        ("waypost_api", "UPDATE accounts SET name = 'mine'"),
        ("waypost_api", "DELETE FROM jobs"),
        ("waypost_api", "UPDATE jobs SET worker = 1"),
        ("waypost_api", "UPDATE lanes SET paused_at = now()"),
        ("waypost_api", "SELECT keep_call_partitions(1, '1 day')"),
        (
            "waypost_api",
            "INSERT INTO calls (started_at, worker, subjects, lane, outcome) VALUES (now(), 1, 1, 1, 'done')"
        ),
        ("waypost_api", "CREATE TABLE mine (id integer)"),
        ("waypost_api", "ALTER TABLE friends DISABLE ROW LEVEL SECURITY"),
        ("waypost_api", "DROP POLICY own_friends ON friends"),
        ("waypost_api", "CREATE FUNCTION mine() RETURNS integer LANGUAGE sql RETURN 1"),
        ("waypost_api", "TRUNCATE friends"),
        ("waypost_worker", "SELECT FROM audit_log"),
        ("waypost_worker", "DELETE FROM audit_log"),
        ("waypost_worker", "SELECT forget_acts('29 days', 1)"),
        ("waypost_api", "SELECT FROM audit_log"),
        ("waypost_api", "UPDATE audit_log SET author = 'x'"),
        ("waypost_api", "SELECT forget_acts('400 days', 1)"),
        ("waypost_api", "SELECT FROM decisions"),
        ("waypost_api", "SELECT purge_answers(NULL, NULL, '1 day', 1)"),
        ("waypost_admin", "UPDATE audit_log SET author = 'x'"),
        ("waypost_admin", "DELETE FROM audit_log"),
        ("waypost_admin", "TRUNCATE audit_log"),
        ("waypost_admin", "SELECT forget_acts('400 days', 1)"),
        ("waypost_admin", "SELECT name FROM friends"),
        ("waypost_admin", "DELETE FROM friends"),
        ("waypost_admin", "UPDATE addresses SET street = 'x'"),
        ("waypost_admin", "SELECT street FROM geocodes"),
        ("waypost_admin", "DELETE FROM geocodes"),
        ("waypost_admin", "SELECT hash FROM tokens"),
        ("waypost_admin", "UPDATE tokens SET scopes = '{admin}'"),
        ("waypost_admin", "UPDATE tokens SET expires_at = NULL"),
        ("waypost_admin", "UPDATE tokens SET account = 1"),
        ("waypost_admin", "DELETE FROM tokens"),
        ("waypost_admin", "INSERT INTO tokens (account, name, hash, scopes) VALUES (1, 'x', sha256('x'), '{admin}')"),
        ("waypost_admin", "SELECT bearer_of_token(1, '')"),
        ("waypost_admin", "UPDATE accounts SET name = 'mine'"),
        ("waypost_admin", "UPDATE chains SET plan = '{}'"),
        ("waypost_admin", "DELETE FROM lanes"),
        ("waypost_admin", "SELECT sealed FROM sinks"),
        ("waypost_admin", "SELECT FROM fixes"),
        ("waypost_admin", "SELECT FROM pending_locations"),
        ("waypost_admin", "CREATE TABLE mine (id integer)"),
        ("waypost_report", "INSERT INTO audit_log (verb, target, author, host) VALUES ('a.b', '', 'x', 'y')"),
        ("waypost_report", "SELECT FROM friends"),
        ("waypost_report", "SELECT FROM addresses"),
        ("waypost_report", "SELECT FROM accounts"),
        ("waypost_report", "SELECT FROM tokens"),
        ("waypost_report", "SELECT FROM idempotency_keys"),
        ("waypost_report", "SELECT street FROM geocodes"),
        ("waypost_report", "SELECT latitude FROM geocodes"),
        ("waypost_report", "SELECT placemark FROM geocodes"),
        ("waypost_report", "UPDATE lanes SET paused_at = now()"),
        ("waypost_report", "SELECT any_token_is_good()"),
        ("waypost_report", "SELECT nextval('leases')"),
        ("waypost_report", "CREATE TABLE mine (id integer)"),
    ]

    // In one database, because making a hundred databases would take longer than all attempts.
    @Test func `a role is refused what it must not do`() async throws {
        for (role, attempt) in Self.forbidden {
            let state = try await refusal(role, attempt)
            #expect(state == "42501", "\(role) may: \(attempt)")
        }
    }

    private static let allowed = [
        ("waypost_report", "SELECT count(*) FROM jobs, lanes, calls, throughput, workers, dead_jobs"),
        ("waypost_report", "SELECT status, provider, precision, confidence FROM geocodes"),
        ("waypost_report", "SELECT FROM audit_log"),
        ("waypost_worker", "SELECT forget_acts('30 days', 1)"),
        ("waypost_api", "INSERT INTO audit_log (verb, target, author, host) VALUES ('a.b', '', 'x', 'y')"),
        ("waypost_admin", "INSERT INTO audit_log (verb, target, author, host) VALUES ('a.b', '', 'x', 'y')"),
        ("waypost_admin", "SELECT FROM audit_log"),
        ("waypost_admin", "SELECT purge_answers(NULL, NULL, '1 day', 1), count_purgeable_answers('a', 'failed', '0')"),
        ("waypost_admin", "SELECT candidates, latitude FROM geocodes"),
        ("waypost_admin", "SELECT id, name, scopes, last_used_at FROM tokens"),
        ("waypost_admin", "SELECT any_token_was_made()"),
        ("waypost_api", "SELECT status, latitude, placemark, provider FROM geocodes"),
        ("waypost_api", "SELECT bearer_of_token(1, ''), note_use_of_token(1, ''), any_token_is_good()"),
        ("waypost_api", "SELECT ask_again('{1}', 1, '{0}')"),
        ("waypost_worker", "SELECT street FROM geocodes"),
        ("waypost_worker", "SELECT keep_call_partitions(2, '2 days'), keep_location_partitions(3, '1 day')"),
        ("waypost_worker", "SELECT keep_location_partitions(3, NULL), settle_left_overs(1), add_up_tallies()"),
        ("waypost_worker", "SELECT ask_again('{1}', 1, '{0}')"),
        ("waypost_worker", "SELECT decided_by_a_person(1)"),
        ("waypost_api", "SELECT ask_anew('{1}', '{1}', 1, 0)"),
        ("waypost_admin", "SELECT ask_anew('{1}', '{1}', 1, 0)"),
    ]

    // In one database, because making a hundred databases would take longer than all attempts.
    @Test func `a role may do what it exists for`() async throws {
        for (role, attempt) in Self.allowed {
            #expect(try await refusal(role, attempt) == nil, "\(role) may not: \(attempt)")
        }
    }

    @Test func `every table with an account's rows has row-level security`() async throws {
        try await Database.test.run { db throws in
            let open: [String] = try db.query(
                """
                SELECT DISTINCT relname
                FROM pg_class
                JOIN pg_attribute ON attrelid = pg_class.oid AND attname IN ('account', 'friend') AND NOT attisdropped
                WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relrowsecurity
                """
            ).map { try $0.read("relname") }
            #expect(open == [])
        }
    }

    @Test func `a function with the owner's rights has a fixed search path and is not public`() async throws {
        try await Database.test.run { db throws in
            let names: [String] = try db.query(
                """
                SELECT proname FROM pg_proc
                WHERE prosecdef AND pronamespace = current_schema()::regnamespace
                  AND (proconfig IS NULL OR NOT 'search_path=public, pg_temp' = ANY (proconfig)
                       OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0))
                """
            ).map { try $0.read("proname") }
            #expect(names == [])
            #expect(try rows("SELECT FROM pg_proc WHERE prosecdef", on: db).count >= 4)
        }
    }

    @Test func `a function that avoids reading whole tables is never compiled`() async throws {
        // A table that it reads whole nevertheless looks so expensive that each call would be compiled, for 70 ms.
        let compiled: [String] = try await Database.test.query(
            """
            SELECT proname FROM pg_proc
            WHERE 'enable_seqscan=off' = ANY (proconfig) AND 'jit=off' <> ALL (proconfig)
            """
        ).map { try $0.read("proname") }
        #expect(compiled == [])
    }

    @Test func `running the file again revokes rights that it doesn't grant`() async throws {
        try await Database.test.query("GRANT SELECT ON friends TO waypost_report")
        #expect(try await refusal("waypost_report", "SELECT FROM friends") == nil)
        try await Schema.prepareRoles(in: Database.test)
        #expect(try await refusal("waypost_report", "SELECT FROM friends") == "42501")
    }
}

extension RolesTests {
    @Test func `preparing a database next to a leader that grants rights is retried`() async throws {
        let database = try Database.test
        let (granted, waited) = (Rendezvous(of: 2), Rendezvous(of: 2))
        let leader = Task {
            try await database.transaction { db in
                try db.query("GRANT SELECT ON calls TO waypost_report WITH GRANT OPTION")
                granted.arriveAndWait()
                waited.arriveAndWait()
            }
        }
        await granted.arrive()
        let prepare = Task { try await Schema.prepare(database) }
        try await pollUntil {
            try await !database.run {
                try $0.query(
                    """
                    SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'transactionid'
                    """
                ).isEmpty
            }
        }
        await waited.arrive()
        try await leader.value
        #expect(try await prepare.value.roles.shortfall == nil)
    }

    @Test(arguments: ["waypost_worker", "waypost_api", "waypost_admin"])
    func `a role that may enqueue may also wake workers`(role: String) async throws {
        try await Database.test.run(script: "INSERT INTO sleepers VALUES (1, 'infinity')")
        let refusal = try await refusal(
            role, "SELECT FROM queue_jobs('gazetteer', '{1}'); SET CONSTRAINTS ALL IMMEDIATE")
        #expect(refusal == nil)
    }

    @Test func `roles without rights are reported`() async throws {
        try await Database.test.run { db throws in
            #expect(try Schema.roleStanding(on: db).idle.isEmpty)
            try db.run(script: "REVOKE ALL ON schema_migrations FROM waypost_api")
            #expect(try Schema.roleStanding(on: db).idle == ["waypost_api"])
        }
    }
}
