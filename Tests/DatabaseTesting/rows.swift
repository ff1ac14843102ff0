package import Postgres

/// Returns a statement's rows, for use inside `#expect`, whose expansion can't call an actor's own methods.
package func rows(_ sql: SQL, on database: isolated Connection) throws -> Rows {
    try database.query(sql)
}
