import Glibc

/// The user under whom the private server runs: ourselves, but never root, whom PostgreSQL refuses.
struct ServerAccount: Sendable {
    let user: uid_t
    let group: gid_t
    private let isOurselves: Bool

    static func choose() throws -> ServerAccount {
        guard geteuid() == 0 else { return ServerAccount(user: geteuid(), group: getegid(), isOurselves: true) }
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name) {
                return ServerAccount(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid, isOurselves: false)
            }
        }
        throw HostingError("root can't run PostgreSQL, and there is no user postgres or nobody to run it instead")
    }

    /// The words that start `command` as this user.
    func command(_ command: [String]) -> [String] {
        if isOurselves { return command }
        return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"] + command
    }

    func own(_ path: String) throws {
        guard !isOurselves else { return }
        guard chown(path, user, group) == 0 else {
            throw HostingError(
                "can't give \(path) to the user of the private server: \(String(cString: strerror(errno)))")
        }
    }
}
