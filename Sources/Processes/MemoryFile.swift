import CLinux
import Glibc

/// A file in memory. It has a path for code that opens files, and is gone with this process, however that ends.
///
/// The file system is not used, so contacts that a client sends never get to the disk.
package final class MemoryFile: Sendable {
    package let descriptor: Int32

    /// Valid in this process, as long as this object exists.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    package init(_ bytes: [UInt8] = []) throws {
        // MFD_CLOEXEC, which Swift doesn't import: https://man7.org/linux/man-pages/man2/memfd_create.2.html
        descriptor = memfd_create("waypost", 1)
        guard descriptor >= 0 else { throw SystemError.last("memfd_create") }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw SystemError.last("write") }
            written += max(0, count)
        }
    }

    deinit {
        close(descriptor)
    }

    /// All bytes of the file.
    package func contents() throws -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError.last("fstat") }
        return try [UInt8](unsafeUninitializedCapacity: Int(clamping: status.st_size)) { buffer, got in
            while got < buffer.count, let start = buffer.baseAddress {
                let count = pread(descriptor, start + got, buffer.count - got, off_t(got))
                if count < 0, errno != EINTR { throw SystemError.last("read") }
                if count == 0 { break }
                got += max(0, count)
            }
        }
    }
}
