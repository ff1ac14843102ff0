/// What a token is good for. Stored: never rename one.
package enum AccessScope: String, Sendable, CaseIterable {
    /// To see the account's contacts and their places.
    case read
    /// To change them.
    case write
    /// To see and steer the cluster.
    case admin
}
