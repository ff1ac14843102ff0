package import Postgres
package import Queue
import Tracking

/// Acts on trackers, which are written to the audit log. The log identifies a tracker by its id, because its user is a
/// person.
extension TrackerStore {
    /// See ``start(_:since:with:account:on:)``. A start that changes nothing is not logged.
    @discardableResult
    package func start(
        _ user: String, since: Double? = nil, with settings: TrackerSettings = TrackerSettings(), account: Int,
        by author: Author, on database: isolated Connection
    ) throws -> Bool {
        let before = try tracker(of: user, account: account, on: database)
        let isNew = try start(user, since: since, with: settings, account: account, on: database)
        guard let after = try tracker(of: user, account: account, on: database) else { return isNew }
        let (old, new) = (before?.facts ?? [:], after.facts)
        let changed = new.filter { old[$0.key] != $0.value }
        if !changed.isEmpty {
            try AuditLog().append(
                .startTracker, "\(after.number)", before: old.filter { changed[$0.key] != nil }, after: changed,
                by: author,
                on: database)
        }
        return isNew
    }

    /// See ``stop(_:account:on:)``.
    package func stop(_ user: String, account: Int, by author: Author, on database: isolated Connection) throws -> Bool
    {
        let before = try tracker(of: user, account: account, on: database)
        guard try stop(user, account: account, on: database), let before else { return false }
        if before.isOn { try AuditLog().append(.stopTracker, "\(before.number)", by: author, on: database) }
        return true
    }
}

extension TrackerState {
    /// The settings that a person changes, by name.
    fileprivate var facts: [String: String] {
        [
            "tracking": isOn ? "on" : "off", "radius": "\(rule.radius)", "top_speed": "\(rule.topSpeed)",
            "longest_gap": "\(rule.longestGap)", "keeps_doubted": "\(keepsDoubted)", "newest_first": "\(newestFirst)",
            "sink": sink ?? "none",
        ]
    }
}
