import Glibc

/// A file that appears only when it is complete.
///
/// What is written goes to a file beside the target, which takes the target's place in `commit()`:
/// nobody ever sees half a file, and a failure leaves the old one as it was.
final class OutputFile {
    private static let pieceSize = 64 * 1024

    private let name: String
    private let temporary: String?
    private var descriptor: Int32
    private var piece: [UInt8] = []

    /// `-` is standard output.
    convenience init(path: String) throws {
        if path == "-" {
            self.init(descriptor: dup(STDOUT_FILENO), name: "standard output", temporary: nil)
            return
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw FileError(file: path, problem: "is a directory")
        }
        let beside = path + ".part-\(getpid())"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError.last(path) }
        self.init(descriptor: descriptor, name: path, temporary: beside)
    }

    /// Writes to what is open already; with `temporary`, that takes the place of `name` in the end.
    init(descriptor: Int32, name: String, temporary: String? = nil) {
        self.descriptor = descriptor
        self.name = name
        self.temporary = temporary
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if descriptor >= 0, let temporary { unlink(temporary) }
    }

    func write(_ text: String) throws {
        piece.append(contentsOf: text.utf8)
        if piece.count >= Self.pieceSize { try flush() }
    }

    /// Puts the file in its place, safe on disk.
    func commit() throws {
        try flush()
        if let temporary {
            guard fsync(descriptor) == 0, rename(temporary, name) == 0 else { throw FileError.last(name) }
        }
        close(descriptor)
        descriptor = -1
    }

    private func flush() throws {
        var rest = piece[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError.last(name)
            }
            rest.removeFirst(count)
        }
        piece.removeAll(keepingCapacity: true)
    }
}
