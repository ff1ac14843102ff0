package import Postgres

extension Schema {
    private static let roles = ["waypost_worker", "waypost_api", "waypost_admin", "waypost_report"]

    /// Brings tables, roles and rights up to date in one transaction, so that nobody finds the ones without the others.
    /// Any number of processes may call this at once, on as many databases of a server. Returns what
    /// changed, and what roles are missing that the user may not create: then nobody has any rights but the owner.
    package static func prepare(
        _ database: Database, with scripts: SchemaScripts = scripts
    ) async throws -> (changes: SchemaChanges, missingRoles: MissingRoles?) {
        // A leader that makes a day's partitions at the same moment changes rights of the same tables.
        try await Database.retrying(atMost: 11, where: { $0.sqlState == "XX000" && $0.isWorthRetrying }) {
            let (changes, missing) = try await database.migrate(scripts) { connection -> MissingRoles? in
                do { try prepareRoles(on: connection) } catch let roles as MissingRoles { return roles }
                return nil
            }
            return (changes, missing)
        }
    }

    /// Makes the database roles and gives them their rights; `sql/roles.sql` says which.
    ///
    /// Throws ``MissingRoles`` where roles are missing and the user may not create any.
    package static func prepareRoles(in database: Database) async throws {
        try await database.transaction { try prepareRoles(on: $0) }
    }

    private static func prepareRoles(on connection: isolated Connection) throws {
        // Two at once on the same tables would each refuse what the other does.
        try connection.query("SELECT pg_advisory_xact_lock(hashtext('waypost.migrate'))")
        let rights = try connection.query(
            """
            SELECT ARRAY(
                       SELECT name FROM unnest(\(roles)) AS name
                       WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
                   ) AS missing,
                   (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS may_create
            """)[0]
        let missing: [String] = try rights.read("missing")
        guard try missing.isEmpty || rights.read("may_create") else { throw MissingRoles(names: missing) }
        try connection.run(script: String(decoding: PackageResources.roles_sql, as: UTF8.self))
    }

    /// The roles that there are not, or that have no rights in this database.
    package static func idleRoles(on connection: isolated Connection) throws -> [String] {
        try connection.query(
            """
            SELECT name
            FROM unnest(\(roles)) AS name
            WHERE CASE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = name)
                       THEN NOT has_table_privilege(name, 'schema_migrations', 'SELECT')
                       ELSE true END
            ORDER BY name
            """
        ).map { try $0.read("name") }
    }
}

/// The database lacks roles, and this user may not create them.
package struct MissingRoles: Error, CustomStringConvertible {
    package let names: [String]

    package var description: String {
        "the database has no roles \(names.joined(separator: ", ")), and this user may not create roles"
    }
}
