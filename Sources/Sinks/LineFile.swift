import Glibc
import JSON
import Processes

/// A file of lines to which several processes append.
///
/// It is opened again for each append, so that it may be moved away in between, as logrotate does.
struct LineFile: Sendable {
    let path: String
    /// How long to wait for another process's lock.
    var patience: Duration = .seconds(5)

    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// A person must correct it.
        let isLasting: Bool
    }

    /// Appends whole lines. They are on the disk when it returns. If it throws, the file is unchanged.
    func append(_ lines: [UInt8]) throws(Failure) {
        let descriptor = try open()
        // Closing also releases the lock.
        defer { close(descriptor) }
        try repair(descriptor)
        let length = try self.length(of: descriptor)
        do throws(Failure) {
            try write(lines, to: descriptor)
            guard fsync(descriptor) == 0 else { throw Self.failure("write to it") }
        } catch {
            // Half a line would join the next one. If this fails too, the next writer repairs it.
            ftruncate(descriptor, length)
            fsync(descriptor)
            throw error
        }
    }

    /// Opens and locks the file.
    private func open() throws(Failure) -> Int32 {
        let deadline = ContinuousClock.now + patience
        while true {
            var isMade = false
            let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
            var descriptor = Glibc.open(path, flags)
            if descriptor < 0, errno == ENOENT {
                descriptor = Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600)
                isMade = descriptor >= 0
                // Another process has just created it.
                if descriptor < 0, errno == EEXIST, ContinuousClock.now < deadline { continue }
            }
            guard descriptor >= 0 else { throw Self.failure("open it") }
            do throws(Failure) {
                try lock(descriptor, until: deadline)
                if try isStillThere(descriptor) {
                    // The name of a new file is on the disk only after its directory is synced.
                    if isMade { try syncDirectory() }
                    return descriptor
                }
            } catch {
                close(descriptor)
                throw error
            }
            // The file was moved away before we had the lock.
            close(descriptor)
        }
    }

    private func lock(_ descriptor: Int32, until deadline: ContinuousClock.Instant) throws(Failure) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw Self.failure("lock it") }
            guard ContinuousClock.now < deadline else {
                throw Failure(description: "another process keeps it locked", isLasting: false)
            }
            usleep(5_000)
        }
    }

    private func isStillThere(_ descriptor: Int32) throws(Failure) -> Bool {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { throw Self.failure("look at it") }
        guard own.st_mode & S_IFMT == S_IFREG else {
            throw Failure(description: "it is not a regular file", isLasting: true)
        }
        return stat(path, &named) == 0 && named.st_ino == own.st_ino && named.st_dev == own.st_dev
    }

    private func syncDirectory() throws(Failure) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open its directory") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure("write to its directory") }
    }

    /// Completes a last line without an end. A line that a crash cut off is removed, because its upload was never
    /// confirmed.
    private func repair(_ descriptor: Int32) throws(Failure) {
        let length = try self.length(of: descriptor)
        let start = max(0, length - 64 << 10)
        var tail = [UInt8](repeating: 0, count: length - start)
        let count = pread(descriptor, &tail, tail.count, start)
        guard count == tail.count else { throw Self.failure("read it") }
        guard let last = tail.last, last != UInt8(ascii: "\n") else { return }
        let lineStart = tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = Array(tail[lineStart...])
        let isHalf =
            line.first == UInt8(ascii: "{") && (lineStart > 0 || start == 0) && (try? JSONValue(parsing: line)) == nil
        if isHalf {
            guard ftruncate(descriptor, start + lineStart) == 0 else { throw Self.failure("write to it") }
        } else {
            try write([UInt8(ascii: "\n")], to: descriptor)
        }
    }

    private func length(of descriptor: Int32) throws(Failure) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("look at it") }
        return Int(status.st_size)
    }

    /// Writes in one piece, unless the system accepts less.
    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("write to it") }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ action: String) -> Failure {
        let code = errno
        // Errors that may pass by themselves: the disk is full or broken, or this process has too many open files.
        let passing: Set<Int32> = [ENOSPC, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR, ESTALE]
        return Failure(
            description: SystemError(code: code, action: action).description, isLasting: !passing.contains(code))
    }
}
