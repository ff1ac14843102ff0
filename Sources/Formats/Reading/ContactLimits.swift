/// Limits on the size of a contact.
package enum ContactLimits {
    /// No contact has more. Without a limit, a file with the addresses of only one friend would be in memory
    /// completely.
    package static let addresses = 1_000
}
