package import Postgres

/// The migrations in this folder, in the order they run. A new file needs a new line here.
package enum Schema {
    package static let migrations = [
        Migration(1, "queue", PackageResources._001_queue_sql),
        Migration(2, "geocodes", PackageResources._002_geocodes_sql),
        Migration(3, "contacts", PackageResources._003_contacts_sql),
        Migration(4, "gazetteer", PackageResources._004_gazetteer_sql),
    ]
}
