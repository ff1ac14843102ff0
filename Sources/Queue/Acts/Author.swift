/// The person or program that changes the cluster.
package struct Author: Sendable, Hashable {
    /// The id of the token; nil if the request needed none, and at a command line.
    package let token: Int?
    /// The token's name; at a command line the user of the operating system.
    package let name: String
    /// The account that the token works for; nil at a command line.
    package let account: String?
    /// The machine of the command line; nil for a request.
    package let host: String?

    /// The sender of a request.
    package static func client(token: Int?, named name: String, of account: String) -> Self {
        Self(token: token, name: name, account: account, host: nil)
    }

    /// The user of a command line.
    package static func user(_ name: String, on host: String) -> Self {
        Self(token: nil, name: name, account: nil, host: host)
    }
}
