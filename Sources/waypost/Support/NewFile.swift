import Glibc
import Processes

/// Writes files that did not exist before and that only their owner may read.
enum NewFile {
    static func requireAbsence(of path: String) throws {
        var status = stat()
        if lstat(path, &status) == 0 { throw SystemError(code: EEXIST, action: "write \(path)") }
    }

    /// Writes the bytes to `path`, or to standard output for `-`. Removes what it wrote if that fails.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let isStream = path == "-"
        let descriptor =
            isStream
            ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(code: errno, action: "write \(path)") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = SystemError(code: errno, action: "write \(path)")
                if !isStream { unlink(path) }
                throw error
            }
            rest = rest.dropFirst(count)
        }
    }
}
