import Glibc
import Processes

/// The folder of a private cluster: `.waypost` next to the files that the user works on.
///
///     .waypost/lock         locked by the `waypost up` that runs there
///     .waypost/url          the URL of its database, while it runs
///     .waypost/postgres     the database itself, which stays
///     .waypost/sealing.key  the key that seals secrets in the database, if there is one
package struct ClusterFolder: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var serverFolder: String { "\(path)/postgres" }

    /// True if a cluster has ever run here.
    package var hasServer: Bool { access(serverFolder, F_OK) == 0 }

    /// True if a cluster is starting here that can't be used yet.
    package var isPreparing: Bool { access(urlFile, F_OK) != 0 && FolderLock.isHeld("\(path)/lock") }

    private var urlFile: String { "\(path)/url" }

    /// The URL of the cluster that runs in this folder, if there is one.
    package var runningURL: String? {
        FolderLock.isHeld("\(path)/lock") ? read(urlFile) : nil
    }

    /// Locks the folder for this process. If another process has locked it, throws an error that names the process.
    func lock() throws -> FolderLock {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw ClusterError("can't make the folder \(path): \(String(cString: strerror(errno)))")
        }
        guard let lock = try FolderLock.acquire("\(path)/lock") else {
            let pid = read("\(path)/lock").map { " (process \($0))" } ?? ""
            throw ClusterError(
                "a cluster already runs in \(path)\(pid); nothing was changed. Stop it there, or use another folder"
            )
        }
        return lock
    }

    func announce(_ url: String) throws {
        // A command that waits for the file must find it complete.
        let unfinished = "\(urlFile).new"
        guard let file = fopen(unfinished, "w") else {
            throw ClusterError("can't write \(unfinished): \(String(cString: strerror(errno)))")
        }
        fputs(url, file)
        fclose(file)
        guard rename(unfinished, urlFile) == 0 else {
            throw ClusterError("can't write \(urlFile): \(String(cString: strerror(errno)))")
        }
    }

    /// Everything that the cluster keeps on this machine: the folder, and the data of root's server, which may be
    /// elsewhere. Empty if there is nothing.
    package var places: [String] {
        guard access(path, F_OK) == 0 else { return [] }
        guard let real = realpath(serverFolder, nil) else { return [path] }
        defer { free(real) }
        let data = String(cString: real)
        // Only a link that we made (`ServerAccount.claim`).
        return data.hasPrefix("/var/lib/waypost/") ? [path, data] : [path]
    }

    /// Deletes ``places``. Throws if a cluster runs in the folder.
    package func forget() async throws {
        let places = places
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        // The folder comes last, because it has the link to the data. A link is deleted, not followed.
        for place in places.reversed() {
            let outcome = try await ChildProcess.output(of: "/bin/rm", ["-rf", "--", place])
            guard outcome.exit.isSuccess else {
                throw ClusterError("can't delete all of \(place): \(String(decoding: outcome.error, as: UTF8.self))")
            }
        }
    }

    private var keyFile: String { "\(path)/sealing.key" }

    /// The key that seals secrets in the database, as text; nil if none was made.
    package var sealingKey: String? { read(keyFile) }

    /// Stores a key in a file that only its owner may read.
    package func writeSealingKey(_ text: String) throws {
        let file = open(keyFile, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw ClusterError("can't make \(keyFile): \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            unlink(keyFile)
            throw ClusterError("can't write \(keyFile): \(String(cString: strerror(errno)))")
        }
    }

    func withdraw() {
        unlink(urlFile)
    }

    private func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1_024)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A file lock, which the kernel releases when its process ends, however it ends.
final class FolderLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Returns nil if another process has the lock.
    static func acquire(_ path: String) throws -> FolderLock? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_CREAT, 0o644)
        guard descriptor >= 0 else {
            throw ClusterError("can't open \(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        let pid = "\(getpid())\n"
        ftruncate(descriptor, 0)
        pwrite(descriptor, pid, pid.utf8.count, 0)
        return FolderLock(descriptor)
    }

    /// Tests with a shared lock, which it holds only for a moment.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}

/// The reason why a cluster can't start or continue.
struct ClusterError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
