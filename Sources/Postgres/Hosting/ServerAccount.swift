import Glibc
import Processes

/// The user that runs the private server: the current user, but not root, because PostgreSQL refuses to run as root.
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

    /// The words that run `command` as this user.
    func command(_ command: [String]) -> [String] {
        if isOurselves { return command }
        return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"] + command
    }

    func own(_ path: String) throws {
        guard !isOurselves else { return }
        guard chown(path, user, group) == 0 else {
            throw HostingError("can't give \(path) to the user of the private server: \(reason())")
        }
    }

    /// Makes a folder that the user can work in, and returns its real path.
    ///
    /// A project of root may be in folders that no other user may enter. Then the data is put into `/var/lib/waypost`,
    /// and the folder becomes a link to it.
    func claim(_ folder: String) async throws -> String {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw HostingError("can't make the folder \(folder): \(reason())")
        }
        let real = try resolve(folder)
        try own(real)
        if try await canEnter(real) { return real }
        let elsewhere = "/var/lib/waypost"
        mkdir(elsewhere, 0o755)
        let replacement = "\(elsewhere)/\(real.split(separator: "/").joined(separator: "-"))"
        guard mkdir(replacement, 0o700) == 0 || errno == EEXIST, rmdir(real) == 0, symlink(replacement, real) == 0
        else { throw HostingError("can't put the data of \(folder) into \(replacement): \(reason())") }
        try own(replacement)
        return replacement
    }

    private func canEnter(_ folder: String) async throws -> Bool {
        if isOurselves { return true }
        let test = command(["/usr/bin/test", "-w", folder])
        return try await ChildProcess.output(of: test[0], Array(test.dropFirst())).exit.isSuccess
    }

    private func resolve(_ path: String) throws -> String {
        guard let real = realpath(path, nil) else { throw HostingError("can't find \(path): \(reason())") }
        defer { free(real) }
        return String(cString: real)
    }

    private func reason() -> String { String(cString: strerror(errno)) }
}
