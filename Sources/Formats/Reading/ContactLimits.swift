/// What is kept of a contact at most.
package enum ContactLimits {
    /// More than any contact has. Without a bound, a file of one friend's addresses would be in memory as a whole.
    package static let addresses = 1_000
}
