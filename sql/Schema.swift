package import Postgres

/// The migrations in this folder, in the order they run. A new file needs a new line here.
package enum Schema {
    package static let migrations = [
        Migration(1, "queue", PackageResources._001_queue_sql),
        Migration(2, "geocodes", PackageResources._002_geocodes_sql),
        Migration(3, "contacts", PackageResources._003_contacts_sql),
        Migration(4, "gazetteer", PackageResources._004_gazetteer_sql),
        Migration(5, "lanes", PackageResources._005_lanes_sql, isBreaking: true),
        Migration(6, "jobs", PackageResources._006_jobs_sql, isBreaking: true),
        Migration(7, "calls", PackageResources._007_calls_sql),
        Migration(8, "claim", PackageResources._008_claim_sql),
        Migration(9, "finish", PackageResources._009_finish_sql),
        Migration(10, "enqueue", PackageResources._010_enqueue_sql),
        Migration(11, "upkeep", PackageResources._011_upkeep_sql),
        Migration(12, "chains", PackageResources._012_chains_sql, isBreaking: true),
        Migration(13, "gazetteer_search", PackageResources._013_gazetteer_search_sql),
        Migration(14, "feeds", PackageResources._014_feeds_sql, isBreaking: true),
        Migration(15, "access", PackageResources._015_access_sql),
        Migration(16, "prices", PackageResources._016_prices_sql),
        Migration(17, "friends_of_an_account", PackageResources._017_friends_of_an_account_sql),
        Migration(18, "pins_of_an_account", PackageResources._018_pins_of_an_account_sql, isBreaking: true),
        Migration(19, "gazetteer_in_memory", PackageResources._019_gazetteer_in_memory_sql, isBreaking: true),
        Migration(20, "weak_answers", PackageResources._020_weak_answers_sql),
        Migration(21, "shared_answers", PackageResources._021_shared_answers_sql, isBreaking: true),
        Migration(22, "slipped_calls", PackageResources._022_slipped_calls_sql),
        Migration(23, "clocks", PackageResources._023_clocks_sql),
        Migration(24, "wakeups", PackageResources._024_wakeups_sql),
        Migration(25, "chain_of_a_question", PackageResources._025_chain_of_a_question_sql),
        Migration(26, "fresh_clocks", PackageResources._026_fresh_clocks_sql),
        Migration(27, "probes", PackageResources._027_probes_sql),
    ]
}
