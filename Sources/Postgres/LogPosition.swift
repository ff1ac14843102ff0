/// A database, and how far its server has come in its write-ahead log.
///
/// Positions of one log can be compared, whichever server has it. A standby shows all that was committed before the
/// position that it has replayed.
package struct LogPosition: Sendable {
    /// The same for a primary and its standbys.
    package let database: String
    package let isStandby: Bool
    /// The end of the log on a primary, and the end of the replay on a standby.
    package let position: Int
    /// The number of the oldest open transaction. The changes of those with smaller numbers are visible.
    package let oldestOpen: Int

    package init(on database: isolated Connection) throws {
        let row = try database.query(
            """
            SELECT concat_ws(' ', system_identifier, current_database()) AS database, pg_is_in_recovery() AS is_standby,
                   pg_wal_lsn_diff(
                       CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_replay_lsn(), '0/0')
                            ELSE pg_current_wal_insert_lsn() END, '0/0')::bigint AS position,
                   pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest_open
            FROM pg_control_system()
            """)[0]
        self.database = try row.read("database")
        isStandby = try row.read("is_standby")
        position = try row.read("position")
        oldestOpen = try row.read("oldest_open")
    }
}
