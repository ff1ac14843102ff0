import Glibc
package import Processes

/// A file that gets its name only when it is complete.
///
/// Until ``commit()`` it has no name, so an incomplete file is never visible, even after the process was killed. If the
/// file system doesn't support such files, the file gets another name in the same folder, `.waypost-XXXXXX`, and is
/// removed if it is abandoned. Standard output and devices are written directly.
package final class OutputFile {
    let name: String
    private let target: Target
    private var descriptor: Int32
    private var isNameless = false
    private var buffer: [UInt8] = []

    private static let bufferSize = 256 << 10

    private enum Target {
        case stream
        case file(path: String, temporary: String)
    }

    /// Creates a file that will be at `path` after ``commit()``; `-` is standard output.
    package init(path: String) throws {
        name = path == "-" ? "standard output" : path
        var status = stat()
        if path == "-" {
            (target, descriptor) = (.stream, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0))
        } else if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // Opening a directory fails here. Replacing /dev/null by a file would be worse.
            (target, descriptor) = (.stream, open(path, O_WRONLY | O_CLOEXEC))
        } else {
            let path = Self.resolved(path)
            // An impossible name is refused now, not at the end.
            var old = stat()
            guard lstat(path, &old) == 0 || errno == ENOENT else { throw Self.openingFailure(name) }
            let temporary = Self.temporaryName(for: path)
            target = .file(path: path, temporary: temporary)
            descriptor = Self.openNameless(besides: temporary)
            isNameless = descriptor >= 0
            if !isNameless { descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            // A user who could not read the old file must not read the new one.
            if descriptor >= 0, status.st_mode != 0 { fchmod(descriptor, status.st_mode & 0o777) }
        }
        guard descriptor >= 0 else { throw Self.openingFailure(name) }
    }

    /// Writes to a file in memory, which is complete after ``commit()``.
    package init(to memory: MemoryFile) throws {
        (name, target) = ("a file in memory", .stream)
        descriptor = fcntl(memory.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw FileError.last(name) }
    }

    deinit {
        abandon()
    }

    /// Adds `bytes` to the end.
    package func write(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes everything to the disk. With several files, errors occur here, before the first file gets its name.
    package func seal() throws {
        try flush()
        guard case .file = target else { return }
        guard fsync(descriptor) == 0 else { throw FileError.last(name) }
    }

    /// Moves the file to its path. It is on the disk then and can't be written any more.
    package func commit() throws {
        do {
            try seal()
            if case .file(let path, let temporary) = target {
                // A link can't replace an existing file, so the file first gets a temporary name.
                if isNameless {
                    guard linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0
                    else {
                        throw FileError.last(name)
                    }
                    isNameless = false
                }
                guard rename(temporary, path) == 0 else { throw FileError.last(name) }
            }
        } catch {
            abandon()
            throw error
        }
        close()
    }

    /// Discards the file. Bytes that went to a stream can't be taken back.
    package func abandon() {
        guard descriptor >= 0 else { return }
        if case .file(_, let temporary) = target, !isNameless { unlink(temporary) }
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
    /// The target of a symbolic link: the link stays, and the file that it names is replaced or made.
    private static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        guard errno == ENOENT, let target = target(of: path) else { return path }
        return resolved(target.hasPrefix("/") ? target : folder(of: path) + target)
    }

    private static func target(of link: String) -> String? {
        var letters = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &letters, letters.count)
        return count > 0 ? String(decoding: letters[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The folder with its final slash; empty for a file in the working directory.
    private static func folder(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[...$0] } ?? ""
    }

    /// Opens a file without a name. It vanishes with its last descriptor, and can become `path`. Returns -1 if the file
    /// system doesn't support that.
    private static func openNameless(besides path: String) -> Int32 {
        let folder = folder(of: path)
        // O_TMPFILE, which Swift doesn't import: https://man7.org/linux/man-pages/man2/open.2.html
        let nameless = 0o20_000_000 | O_DIRECTORY
        let descriptor = open(folder.isEmpty ? "." : String(folder), O_WRONLY | O_CLOEXEC | nameless, 0o666)
        guard descriptor >= 0, access(link(to: descriptor), F_OK) != 0 else { return descriptor }
        Glibc.close(descriptor)
        return -1
    }

    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private static func temporaryName(for path: String) -> String {
        let folder = folder(of: path)
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let suffix = String((0..<6).compactMap { _ in letters.randomElement() })
        // The name doesn't contain the file's own name, which may already have the maximum length.
        return "\(folder).waypost-\(suffix)"
    }

    private static func openingFailure(_ name: String) -> FileError {
        switch errno {
        case ENOENT: FileError(file: name, problem: "its folder does not exist")
        case EACCES, EPERM: FileError(file: name, problem: "no permission to write there")
        default: .last(name)
        }
    }
}
