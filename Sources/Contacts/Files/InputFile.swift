import Glibc

/// A file, or standard input, read from front to back.
final class InputFile {
    /// Nil when nobody knows yet: a pipe.
    private(set) var size: Int?

    /// As the person wrote it, or "standard input".
    let name: String
    private let descriptor: Int32

    /// Opens the file at `path`; `-` is standard input.
    init(path: String) throws {
        if path == "-" {
            name = "standard input"
            descriptor = STDIN_FILENO
        } else {
            name = path
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
        }
        // Glibc would let a directory be opened and fail at the first read.
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw FileError.last(name) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError(file: name, problem: "is a directory") }
        if status.st_mode & S_IFMT == S_IFREG { size = Int(status.st_size) }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Fills `buffer` from its start and returns how much it read: 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileError.last(name) }
        }
    }
}
