package import Postgres

extension Schema {
    /// Makes the database roles and gives them their rights; `sql/roles.sql` says which. Any number of processes may call
    /// this at once, on as many databases of a server.
    ///
    /// Throws ``MissingRoles`` where roles are missing and the user may not create any.
    package static func prepareRoles(in database: Database) async throws {
        try await database.transaction { connection in
            // Two at once on the same tables would each refuse what the other does.
            try connection.query("SELECT pg_advisory_xact_lock(hashtext('waypost.migrate'))")
            let rights = try connection.query(
                """
                SELECT ARRAY(
                           SELECT name FROM unnest(\(["waypost_worker", "waypost_api", "waypost_report"])) AS name
                           WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
                       ) AS missing,
                       (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS may_create
                """)[0]
            let missing: [String] = try rights.read("missing")
            guard try missing.isEmpty || rights.read("may_create") else { throw MissingRoles(names: missing) }
            try connection.run(script: String(decoding: PackageResources.roles_sql, as: UTF8.self))
        }
    }
}

/// The database lacks roles, and this user may not create them.
package struct MissingRoles: Error, CustomStringConvertible {
    package let names: [String]

    package var description: String {
        """
        the database has no roles \(names.joined(separator: ", ")), and this user may not create roles; let somebody who \
        may run CREATE ROLE … NOLOGIN for each, then run 'waypost migrate' again
        """
    }
}
