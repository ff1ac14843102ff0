import Glibc
import Operations

/// A file or standard input, read from start to end.
package final class InputFile {
    /// Nil for a pipe, whose size is unknown.
    package private(set) var size: Int?

    /// The path as it was given, or "standard input".
    package let name: String
    private let descriptor: Int32
    private var bytesRead = 0
    private var isLookedAt = false

    /// Opens the file at `path`; `-` is standard input.
    package init(path: String) throws {
        if path == "-" {
            name = "standard input"
            descriptor = STDIN_FILENO
        } else {
            name = path
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
        }
        // Glibc would open a directory and fail only at the first read.
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw FileError.last(name) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError(file: name, problem: "is a directory") }
        if status.st_mode & S_IFMT == S_IFREG { size = Int(status.st_size) }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Fills `buffer` from its start and returns the number of bytes, 0 at the end of the file. Throws if the file is
    /// not text.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try readAnything(into: buffer)
        if !isLookedAt, let problem = Packing.problem(beginning: UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
            throw FileError(file: name, problem: problem)
        }
        isLookedAt = true
        return count
    }

    private func readAnything(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if descriptor == STDIN_FILENO {
            let count = Self.seen.withLock { seen in
                let part = seen.prefix(buffer.count)
                buffer.copyBytes(from: part)
                seen.removeFirst(part.count)
                return part.count
            }
            if count > 0 { return count }
        }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 {
                bytesRead += count
                // A file that was cut must not look complete, because a complete import removes absent contacts.
                // Standard input is exempt: another process may have read a part of it before.
                if count == 0, !buffer.isEmpty, descriptor != STDIN_FILENO, let size, bytesRead < size {
                    throw FileError(file: name, problem: "became shorter while it was read")
                }
                return count
            }
            guard errno == EINTR else { throw FileError.last(name) }
        }
    }

    /// Bytes that were read from standard input to detect the format, because they can't be put back.
    private static let seen = Locked<[UInt8]>([])
}

extension InputFile {
    /// Up to 512 bytes from the start of `path`. The next reader gets them again. Empty for a named pipe, because bytes
    /// that are read from it are lost.
    package static func beginning(of path: String) throws -> [UInt8] {
        var status = stat()
        // Opening and closing a named pipe would break it for its writer, which would not open it again.
        if path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO { return [] }
        let file = try InputFile(path: path)
        guard path == "-" || file.size != nil else { return [] }
        var bytes = [UInt8](repeating: 0, count: 512)
        var count = 0
        // A pipe may return less than a line at once.
        while count < bytes.count {
            let got = try bytes.withUnsafeMutableBytes { buffer in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            }
            guard got > 0 else { break }
            count += got
        }
        if path == "-" { seen.withLock { $0 = bytes[..<count] + $0 } }
        return Array(bytes[..<count])
    }
}
