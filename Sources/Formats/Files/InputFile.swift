import Glibc
import Processes

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

    /// `count` bytes at a position. The file must have a size.
    func bytes(at position: Int, count: Int) throws -> [UInt8] {
        guard position >= 0, count >= 0, position <= (size ?? 0) - count else { throw FileError.damage(name) }
        let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, got in
            while got < buffer.count, let start = buffer.baseAddress {
                let read = pread(descriptor, start + got, buffer.count - got, off_t(position + got))
                if read < 0, errno != EINTR { throw FileError.last(name) }
                if read == 0 { break }
                got += max(0, read)
            }
        }
        guard bytes.count == count else { throw Self.shortened(name) }
        return bytes
    }

    /// Like ``read(into:)``, but the file may also be packed.
    func readAnything(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
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
                    throw Self.shortened(name)
                }
                return count
            }
            guard errno == EINTR else { throw FileError.last(name) }
        }
    }

    private static func shortened(_ name: String) -> FileError {
        FileError(file: name, problem: "became shorter while it was read")
    }

    /// Bytes that were read from standard input to detect the format, because they can't be put back.
    private static let seen = Locked<[UInt8]>([])
}

extension [UInt8] {
    /// The next bytes of a source, at most `count`; empty at its end. `read` fills a buffer from its start.
    package init(
        atMost count: Int = 256 << 10, from read: (UnsafeMutableRawBufferPointer) throws -> Int
    ) rethrows {
        try self.init(unsafeUninitializedCapacity: count) { $1 = try read(UnsafeMutableRawBufferPointer($0)) }
    }
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
                try file.readAnything(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            }
            guard got > 0 else { break }
            count += got
        }
        // A workbook is recognized by these bytes, and other packed files are refused.
        let isZip = bytes.starts(with: Packing.zip)
        if !isZip, let problem = bytes.withUnsafeBytes({ Packing.problem(beginning: $0) }) {
            throw FileError(file: file.name, problem: problem)
        }
        if path == "-" { seen.withLock { $0 = bytes[..<count] + $0 } }
        return Array(bytes[..<count])
    }
}

/// File formats of tables and contacts that we can't read but that people try first.
enum Packing {
    /// The problem with a file that begins with these bytes, and advice; nil if it may be text.
    static func problem(beginning bytes: UnsafeRawBufferPointer) -> String? {
        signs.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.problem
    }

    static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// https://en.wikipedia.org/wiki/List_of_file_signatures
    private static let signs: [(offset: Int, bytes: [UInt8], problem: String)] = [
        (0, [0x1F, 0x8B], "is compressed with gzip; unpack it first"),
        // The bytes before it, such as BZh9, may also be the first column of a table.
        (4, Array("1AY&SY".utf8), "is compressed with bzip2; unpack it first"),
        (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "is compressed with xz; unpack it first"),
        (0, [0x28, 0xB5, 0x2F, 0xFD], "is compressed with zstd; unpack it first"),
        // A workbook is a zip archive.
        (
            0, zip,
            "is a zip archive or a workbook; unpack the one, and let the name of the other end in .xlsx or .ods"
        ),
        (0, Array("%PDF-".utf8), "is a PDF; save its addresses as a table, in CSV"),
        (0, Array("{\\rtf".utf8), "is a document in RTF; save its addresses as a table, in CSV"),
        (0, [0xD0, 0xCF, 0x11, 0xE0], "is a document of an old Excel or Word; save it as .xlsx"),
    ]
}
