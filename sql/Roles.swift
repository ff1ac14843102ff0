package import Postgres

extension Schema {
    private static let roles = ["waypost_worker", "waypost_api", "waypost_admin", "waypost_report"]

    /// Brings tables, functions, roles and rights up to date. Any number of processes may call this at once, on any
    /// number of databases of a server. Returns the changes, and the relation of this user to the roles.
    package static func prepare(
        _ database: Database, with scripts: SchemaScripts = scripts, under limits: LockLimits = LockLimits()
    ) async throws -> (changes: SchemaChanges, roles: RoleStanding) {
        // Names are compared in the form NFC, which PostgreSQL computes in UTF8 only.
        try await database.run { try $0.requireUTF8() }
        // A leader that makes a day's partitions at the same moment changes rights of the same tables.
        return try await Database.retrying(atMost: 11, where: { $0.sqlState == "XX000" && $0.isWorthRetrying }) {
            let (changes, roles) = try await database.migrate(scripts, under: limits) { try prepareRoles(on: $0) }
            return (changes, roles)
        }
    }

    /// Creates the database roles and grants them their rights, as `sql/roles.sql` lists them. If this user may not
    /// create roles, `sql/owner.sql` keeps the accounts apart instead.
    @discardableResult
    package static func prepareRoles(in database: Database) async throws -> RoleStanding {
        try await database.transaction { try prepareRoles(on: $0) }
    }

    private static func prepareRoles(on connection: isolated Connection) throws -> RoleStanding {
        // Two sessions that change rights of the same tables at once would fail.
        try connection.query("SELECT pg_advisory_xact_lock(hashtext('waypost.migrate'))")
        let mayCreate: Bool = try connection.query(
            "SELECT rolsuper OR rolcreaterole AS may_create FROM pg_roles WHERE rolname = current_user"
        )[0].read("may_create")
        var standing = try roleStanding(on: connection)
        if standing.missing.isEmpty || mayCreate {
            try connection.run(script: String(decoding: PackageResources.roles_sql, as: UTF8.self))
            standing = try roleStanding(on: connection)
        }
        try connection.run(
            script: standing.worksAsOwner ? String(decoding: PackageResources.owner_sql, as: UTF8.self) : freeOwner)
        return standing
    }

    /// Undoes `sql/owner.sql`: the owner's sessions see all rows, and backups need no option.
    private static let freeOwner = """
        DO $$
        DECLARE
            the_table name;
        BEGIN
            FOR the_table IN
                SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relforcerowsecurity
            LOOP
                EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', the_table);
            END LOOP;
        END
        $$
        """

    /// Returns the relation of this session's user to the roles of `sql/roles.sql`.
    package static func roleStanding(on connection: isolated Connection) throws -> RoleStanding {
        let row = try connection.query(
            """
            WITH roles AS (
                SELECT name, to_regrole(name) IS NULL AS is_missing,
                       CASE WHEN to_regrole(name) IS NOT NULL THEN
                           pg_has_role(
                               to_regrole(name)::oid,
                               CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END)
                       END AS is_takeable,
                       CASE WHEN to_regrole(name) IS NOT NULL THEN
                           has_table_privilege(to_regrole(name)::oid, 'schema_migrations', 'SELECT')
                       END AS has_rights
                FROM unnest(\(roles)) AS name
            )
            SELECT current_user AS login,
                   ARRAY(SELECT name FROM roles WHERE is_missing) AS missing,
                   -- No process of Waypost uses the role waypost_report.
                   ARRAY(SELECT name FROM roles WHERE NOT is_takeable AND name <> 'waypost_report') AS refused,
                   ARRAY(SELECT name FROM roles WHERE NOT has_rights) AS idle,
                   (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'schema_migrations'::regclass) AS is_owner,
                   NOT EXISTS (
                       SELECT FROM pg_class
                       WHERE relnamespace = current_schema()::regnamespace AND relrowsecurity AND NOT relispartition
                         AND NOT relforcerowsecurity
                   ) AND current_setting('search_path') <> quote_ident(current_schema()) || ', pg_temp' AS is_fenced
            """)[0]
        return try RoleStanding(
            login: row.read("login"), missing: row.read("missing"), refused: row.read("refused"),
            idle: row.read("idle"),
            isOwner: row.read("is_owner"), isFenced: row.read("is_fenced"))
    }
}

extension Schema {
    /// Lists rights on whole tables that a role of `sql/roles.sql`, or the owner, lacks: `waypost_worker lacks INSERT on
    /// calls`.
    package static func lostRights(on connection: isolated Connection) throws -> [String] {
        var granted: [(role: String, right: String, table: String)] = []
        for statement in String(decoding: PackageResources.roles_sql, as: UTF8.self).sqlStatements {
            let words = statement.replacing(/\s+/, with: " ")
            guard let grant = words.wholeMatch(of: /GRANT ([A-Z, ]+) ON ([a-z_, ]+) TO ([a-z_, ]+)/)?.output else {
                continue
            }
            for role in grant.3.split(separator: ", ") {
                for table in grant.2.split(separator: ", ") {
                    for right in grant.1.split(separator: ", ") {
                        granted.append((String(role), String(right), String(table)))
                    }
                }
            }
        }
        return try connection.query(
            """
            SELECT DISTINCT concat(role, ' lacks ', privilege, ' on ', name) AS lack
            FROM (
                SELECT to_regrole(role)::oid AS id, role, privilege, name, to_regclass(name) AS relation
                FROM unnest(\(granted.map(\.role)), \(granted.map(\.right)), \(granted.map(\.table)))
                    AS given (role, privilege, name)
                -- A role without any right here is reported as a whole.
                WHERE to_regrole(role) IS NOT NULL
                  AND has_table_privilege(to_regrole(role)::oid, 'schema_migrations', 'SELECT')
                UNION ALL
                SELECT relowner, relowner::regrole::text, privilege, relname::text, oid::regclass
                FROM pg_class, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege
                WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
            ) AS wanted
            WHERE relation IS NOT NULL AND NOT has_table_privilege(id, relation, privilege)
            ORDER BY lack
            """
        ).map { try $0.read("lack") }
    }
}

/// The relation of a user to the roles of `sql/roles.sql`.
package struct RoleStanding: Sendable {
    package let login: String
    /// Roles that the server lacks.
    package let missing: [String]
    /// Roles that exist but that the user may not become.
    package let refused: [String]
    /// Roles that exist but have no rights in this database.
    package let idle: [String]
    /// The user has the rights of the owner of the tables.
    package let isOwner: Bool
    /// Row-level security applies to this session even if its user owns the tables, because of `sql/owner.sql`.
    package let isFenced: Bool

    private static let ofServer = ["waypost_api", "waypost_admin"]

    /// The role that a part of the HTTP server works as; nil if it works as the owner.
    package func role(_ name: String) -> String? { isOwner && (missing + refused).contains(name) ? nil : name }

    /// True if some part of the HTTP server works as the owner.
    package var worksAsOwner: Bool { Self.ofServer.contains { role($0) == nil } }

    /// Lists the roles that this user lacks, and the consequence; nil if it has all.
    package var shortfall: String? {
        let parts = [
            missing.isEmpty ? nil : "the server lacks \(missing.joined(separator: ", "))",
            refused.isEmpty ? nil : "\(login) may not become \(refused.joined(separator: ", "))",
            worksAsOwner ? "so the HTTP API works as \(login), and row-level security keeps the accounts apart" : nil,
        ]
        return missing.isEmpty && refused.isEmpty ? nil : parts.compactMap(\.self).joined(separator: "; ")
    }

    /// Tells an administrator how to add the roles.
    package var remedy: String {
        "to have a role for each part, let an administrator run: \(statement); then run 'waypost migrate', and start the "
            + "coordinators again"
    }

    /// One statement that creates the missing roles and lets this user become them.
    package var statement: String {
        let creations = missing.map { "CREATE ROLE \($0) NOLOGIN" }
        let wanted = (missing + refused).filter { $0 != "waypost_report" }
        let login: SQL = "\(identifier: login)"
        let grants = wanted.isEmpty ? [] : ["GRANT \(wanted.joined(separator: ", ")) TO \(login.text)"]
        let all = creations + grants
        return all.count == 1 ? all[0] : "DO $$ BEGIN \(all.map { $0 + ";" }.joined(separator: " ")) END $$"
    }
}
