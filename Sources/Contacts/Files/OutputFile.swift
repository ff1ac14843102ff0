import Glibc

/// A file that appears under its name when it is whole, and not before.
///
/// It is written beside its place under another name, `.name.XXXXXX`, and moved there by ``commit()``. What is
/// dropped before that is removed, so nobody ever finds half a file. Standard output and devices have no such place
/// and are written as they are.
package final class OutputFile {
    private let name: String
    private let target: Target
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    private static let bufferSize = 256 << 10

    private enum Target {
        case stream
        case file(path: String, temporary: String)
    }

    /// Opens a file to become `path`; `-` is standard output.
    package init(path: String) throws {
        name = path == "-" ? "standard output" : path
        var status = stat()
        if path == "-" {
            (target, descriptor) = (.stream, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0))
        } else if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // A directory fails here. To move a file over /dev/null would be worse.
            (target, descriptor) = (.stream, open(path, O_WRONLY | O_CLOEXEC))
        } else {
            let path = Self.resolved(path)
            let temporary = Self.temporaryName(for: path)
            target = .file(path: path, temporary: temporary)
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            // Whoever could not read the old file shall not read the new one.
            if descriptor >= 0, status.st_mode != 0 { fchmod(descriptor, status.st_mode & 0o777) }
        }
        guard descriptor >= 0 else { throw Self.openingFailure(name) }
    }

    deinit {
        abandon()
    }

    /// Adds `bytes` to the end.
    package func write(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Puts the file in its place. It is on the disk by then, and can't be written any more.
    package func commit() throws {
        do {
            try flush()
            if case .file(let path, let temporary) = target {
                guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw FileError.last(name) }
            }
        } catch {
            abandon()
            throw error
        }
        close()
    }

    /// Leaves things as they were. What went to a stream can't be taken back.
    package func abandon() {
        guard descriptor >= 0 else { return }
        if case .file(_, let temporary) = target { unlink(temporary) }
        close()
    }

    private func close() {
        Glibc.close(descriptor)
        descriptor = -1
        buffer = []
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno != EINTR { throw FileError.last(name) }
                rest = rest.dropFirst(max(0, count))
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

extension OutputFile {
    /// Where a link leads: the link stays, and the file behind it is replaced.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func temporaryName(for path: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let suffix = String((0..<6).compactMap { _ in letters.randomElement() })
        return "\(path[..<slash]).\(path[slash...]).\(suffix)"
    }

    private static func openingFailure(_ name: String) -> FileError {
        switch errno {
        case ENOENT: FileError(file: name, problem: "its folder does not exist")
        case EACCES, EPERM: FileError(file: name, problem: "no permission to write there")
        default: .last(name)
        }
    }
}
