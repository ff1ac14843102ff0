package import Postgres

extension TrackerStore {
    /// Makes and drops partitions of the position tables by day, and deletes locations that were uploaded longer ago
    /// than `retention`; nil keeps them. Returns the partitions made and dropped, and if there is more to delete than
    /// one call deletes.
    package func keepPartitions(
        ahead: Int = 3, retention: Duration?, on database: isolated Connection
    ) throws -> (made: [String], dropped: [String], isMore: Bool) {
        let changes = try database.query(
            "SELECT partition, happened FROM keep_location_partitions(\(ahead)::integer, \(retention)::interval)")
        let names = try changes.map {
            (name: try $0.read("partition", as: String.self), how: try $0.read("happened", as: String.self))
        }
        return (
            names.filter { $0.how == "made" }.map(\.name), names.filter { $0.how == "dropped" }.map(\.name),
            names.contains { $0.how == "more" }
        )
    }
}
