/// What a token is good for. Stored: never rename one.
package enum AccessScope: String, Sendable, CaseIterable {
    /// To see the account's contacts and their places.
    case read
    /// To change them.
    case write
    /// To send a user's positions, and to turn tracking on and off: what a phone needs, and nothing else.
    case track
    /// To see positions.
    case locate
    /// To see and steer the cluster.
    case admin

    /// The scopes that a token of one user may have.
    package static let ofOneUser: Set<AccessScope> = [.track, .locate]
}
