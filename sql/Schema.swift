package import Postgres

/// The scripts that make the database: the present tables, the numbered migrations that change older ones, and the
/// functions.
package enum Schema {
    /// The files of `tables`. A table comes after those that it references.
    private static let tables = [
        PackageResources.queue_sql, PackageResources.geocodes_sql, PackageResources.contacts_sql,
        PackageResources.locations_sql, PackageResources.points_sql, PackageResources.api_sql,
    ]

    package static let scripts = SchemaScripts(
        tables: String(decoding: tables.joined(), as: UTF8.self),
        migrations: [
            Migration(1, "tables", PackageResources._001_tables_sql),
            Migration(2, "locations", PackageResources._002_locations_sql),
            Migration(3, "sinks", PackageResources._003_sinks_sql),
            Migration(4, "reading", PackageResources._004_reading_sql),
            Migration(5, "changes", PackageResources._005_changes_sql),
            Migration(6, "least_privilege", PackageResources._006_least_privilege_sql),
            Migration(7, "throughput", PackageResources._007_throughput_sql),
            Migration(8, "audit_log", PackageResources._008_audit_log_sql),
            Migration(9, "sessions", PackageResources._009_sessions_sql),
            Migration(10, "rematch", PackageResources._010_rematch_sql),
            Migration(11, "trace", PackageResources._011_trace_sql),
            Migration(12, "clock_readings", PackageResources._012_clock_readings_sql),
            Migration(13, "phones", PackageResources._013_phones_sql),
            Migration(14, "finished_jobs", PackageResources._014_finished_jobs_sql),
            Migration(15, "why_calls_fail", PackageResources._015_why_calls_fail_sql),
            Migration(16, "place_news", PackageResources._016_place_news_sql),
            Migration(17, "names", PackageResources._017_names_sql),
            Migration(18, "one_walk", PackageResources._018_one_walk_sql),
            Migration(19, "job_reports", PackageResources._019_job_reports_sql),
            Migration(20, "weak_answers", PackageResources._020_weak_answers_sql),
            Migration(21, "points", PackageResources._021_points_sql),
        ],
        functions: functions)

    /// The files of `functions`, in the order in which they are applied. A function in SQL must come after the
    /// functions that it calls. Functions that are only called from PL/pgSQL may come anywhere.
    private static let functions = [
        FunctionFile("default_chain", PackageResources.default_chain_sql),
        FunctionFile("is_spared", PackageResources.is_spared_sql),
        FunctionFile("anybody_follows", PackageResources.anybody_follows_sql),
        FunctionFile("note_unqueued_geocode", PackageResources.note_unqueued_geocode_sql),
        FunctionFile(
            "clear_address_hash", PackageResources.clear_address_hash_sql),
        FunctionFile("set_updated_at", PackageResources.set_updated_at_sql),
        FunctionFile("map_key", PackageResources.map_key_sql),
        FunctionFile("standing", PackageResources.standing_sql),
        FunctionFile("add_up_tallies", PackageResources.add_up_tallies_sql),
        FunctionFile("answered_addresses", PackageResources.answered_addresses_sql),
        FunctionFile("changes", PackageResources.changes_sql),
        FunctionFile("latest_change", PackageResources.latest_change_sql),
        FunctionFile("friends_named", PackageResources.friends_named_sql),
        FunctionFile("may_be_shared", PackageResources.may_be_shared_sql),
        FunctionFile("row_security", PackageResources.row_security_sql),
        FunctionFile("ask_again", PackageResources.ask_again_sql),
        FunctionFile("tokens", PackageResources.tokens_sql),
        FunctionFile("forget_decisions", PackageResources.forget_decisions_sql),
        FunctionFile("forget_acts", PackageResources.forget_acts_sql),
        FunctionFile("purge_answers", PackageResources.purge_answers_sql),
        FunctionFile("rematch", PackageResources.rematch_sql),
        FunctionFile("sessions", PackageResources.sessions_sql),
        FunctionFile("keep_call_partitions", PackageResources.keep_call_partitions_sql),
        FunctionFile("is_ready", PackageResources.is_ready_sql),
        FunctionFile("backlog", PackageResources.backlog_sql),
        FunctionFile("queue_jobs", PackageResources.queue_jobs_sql),
        FunctionFile("wake_sleepers", PackageResources.wake_sleepers_sql),
        FunctionFile("prepare_to_sleep", PackageResources.prepare_to_sleep_sql),
        FunctionFile("queue_constants", PackageResources.queue_constants_sql),
        FunctionFile("careful_limit", PackageResources.careful_limit_sql),
        FunctionFile("slots", PackageResources.slots_sql),
        FunctionFile("note_spread", PackageResources.note_spread_sql),
        FunctionFile("lane_obstacle", PackageResources.lane_obstacle_sql),
        FunctionFile("lane_limits", PackageResources.lane_limits_sql),
        FunctionFile("breaker", PackageResources.breaker_sql),
        FunctionFile("fresh_job_at", PackageResources.fresh_job_at_sql),
        FunctionFile("fresh_jobs", PackageResources.fresh_jobs_sql),
        FunctionFile("oldest_jobs", PackageResources.oldest_jobs_sql),
        FunctionFile("claim_jobs", PackageResources.claim_jobs_sql),
        FunctionFile("look_for_jobs", PackageResources.look_for_jobs_sql),
        FunctionFile("pace", PackageResources.pace_sql),
        FunctionFile("update_lane_health", PackageResources.update_lane_health_sql),
        FunctionFile("retry_wait", PackageResources.retry_wait_sql),
        FunctionFile("queue_left_overs", PackageResources.queue_left_overs_sql),
        FunctionFile("logged_moment", PackageResources.logged_moment_sql),
        FunctionFile("return_tokens", PackageResources.return_tokens_sql),
        FunctionFile("settle_jobs", PackageResources.settle_jobs_sql),
        FunctionFile("finish_jobs", PackageResources.finish_jobs_sql),
        FunctionFile("note_slipped_calls", PackageResources.note_slipped_calls_sql),
        FunctionFile("shift_clock", PackageResources.shift_clock_sql),
        FunctionFile("adopt_clock", PackageResources.adopt_clock_sql),
        FunctionFile("keep_location_partitions", PackageResources.keep_location_partitions_sql),
        FunctionFile("queue_uploads", PackageResources.queue_uploads_sql),
        FunctionFile("due_locations", PackageResources.due_locations_sql),
        FunctionFile("finish_uploads", PackageResources.finish_uploads_sql),
    ]
}
