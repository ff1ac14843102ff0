import Glibc

/// The folder in which a private cluster lives: `.waypost` beside the files one works on.
///
///     .waypost/lock       held by the `waypost up` that runs there
///     .waypost/url        where its database is, while it runs
///     .waypost/postgres   the database itself, which stays
///     .waypost/sealing.key  with which secrets in the database are sealed, once there is one
package struct ClusterFolder: Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var serverFolder: String { "\(path)/postgres" }

    /// Whether a cluster was ever up here.
    package var hasServer: Bool { access(serverFolder, F_OK) == 0 }

    /// Whether a cluster is starting here that can't be used yet.
    package var isPreparing: Bool { access(urlFile, F_OK) != 0 && FolderLock.isHeld("\(path)/lock") }

    private var urlFile: String { "\(path)/url" }

    /// The URL of the cluster that is up in this folder, if there is one.
    package var runningURL: String? {
        FolderLock.isHeld("\(path)/lock") ? read(urlFile) : nil
    }

    /// Locks the folder for this process; throws with the process that holds it otherwise.
    func lock() throws -> FolderLock {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw ClusterError("can't make the folder \(path): \(String(cString: strerror(errno)))")
        }
        guard let lock = try FolderLock.take("\(path)/lock") else {
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

    private var keyFile: String { "\(path)/sealing.key" }

    /// The key that seals secrets in the database, as text; nil where none was made.
    package var sealingKey: String? { read(keyFile) }

    /// Keeps a key that nobody else may read.
    package func keepSealingKey(_ text: String) throws {
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

/// A file lock, which the kernel lets go of when its process ends, however it ends.
final class FolderLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Nil when another process holds it.
    static func take(_ path: String) throws -> FolderLock? {
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

    /// Tests with a shared lock, which it holds for a moment only.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}

/// Why a cluster can't start or go on.
package struct ClusterError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
