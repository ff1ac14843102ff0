/// The rights of a token. The raw values are stored: never rename one.
package enum AccessScope: String, Sendable, CaseIterable {
    /// Read the account's contacts and their places.
    case read
    /// Change them.
    case write
    /// Send a user's positions, and turn tracking on and off: all that a phone needs.
    case track
    /// Read positions.
    case locate
    /// See and control the cluster.
    case admin

    /// The scopes that a token for one user may have.
    package static let ofOneUser: Set<AccessScope> = [.track, .locate]
}
