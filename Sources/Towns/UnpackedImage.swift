import CLzma
import Glibc

/// The bytes of the gazetteer's image, which the program contains compressed.
///
/// The first process of a user on a machine unpacks them into a file. All processes map this file, so they share its
/// memory, and later ones don't unpack. If the file can't be written, a process unpacks the image into memory of its
/// own.
struct UnpackedImage {
    private let packed: UnsafeBufferPointer<UInt8>
    private let folder: String?
    private var path: String? { folder.map { "\($0)/towns.bin" } }

    /// How long to wait for another process that writes the file.
    private static let patienceMilliseconds = 2_000

    private let restore: (UnsafeMutableRawBufferPointer) -> Void

    /// `packed` is the size of the image and its checksum in four bytes each, and then the image as liblzma compressed it.
    /// `restore` changes these bytes to the image. Without a folder the image stays in memory.
    init(
        _ packed: UnsafeBufferPointer<UInt8>, in folder: String? = Self.folder,
        restoredBy restore: @escaping (UnsafeMutableRawBufferPointer) -> Void
    ) {
        self.packed = packed
        self.folder = folder
        self.restore = restore
    }

    /// The user's folder for data that can be made again: https://specifications.freedesktop.org/basedir-spec/
    private static var folder: String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (variable("XDG_CACHE_HOME") ?? variable("HOME").map { "\($0)/.cache" }).map { "\($0)/waypost" }
    }

    /// The image, in memory that is never freed.
    func bytes() -> UnsafeRawBufferPointer {
        if let mapped = mapped() { return mapped }
        guard let lock = lockFolder() else { return unpacked() }
        defer { close(lock) }
        // Another process may have written the file meanwhile.
        if let mapped = mapped() { return mapped }
        let image = unpacked()
        guard write(image), let mapped = mapped() else { return image }
        image.deallocate()
        return mapped
    }

    private var size: Int { packed.prefix(4).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) } }

    /// It ends the file, so that a file of another version is not used.
    private var checksum: [UInt8] { Array(packed[4..<8]) }

    /// Maps the file if it is complete, of this version, and not writable by others.
    private func mapped() -> UnsafeRawBufferPointer? {
        guard let path else { return nil }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0, Int(status.st_size) == size + 4
        else { return nil }
        var end = [UInt8](repeating: 0, count: 4)
        guard pread(file, &end, 4, off_t(size)) == 4, end == checksum else { return nil }
        guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), memory != MAP_FAILED else { return nil }
        return UnsafeRawBufferPointer(start: memory, count: size)
    }

    /// Opens the folder and locks it against other processes that would write the file. Returns nil if there is no
    /// folder, or another process is not ready in time.
    private func lockFolder() -> Int32? {
        guard let folder else { return nil }
        if let end = folder.lastIndex(of: "/") { mkdir(String(folder[..<end]), 0o700) }
        mkdir(folder, 0o700)
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        for _ in 0..<Self.patienceMilliseconds / 10 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(10_000)
        }
        close(file)
        return nil
    }

    /// Writes the file under another name, and renames it when its bytes are on the disk. So a reader never sees a part
    /// of it. A process that dies meanwhile leaves the other name to the next one.
    private func write(_ image: UnsafeRawBufferPointer) -> Bool {
        guard let path else { return false }
        let unfinished = "\(path).unfinished"
        unlink(unfinished)
        let file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        let isWritten =
            append(image, to: file) && checksum.withUnsafeBytes { append($0, to: file) }
            && fsync(file) == 0 && rename(unfinished, path) == 0
        if !isWritten { unlink(unfinished) }
        return isWritten
    }

    private func append(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func unpacked() -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        var (limit, from, length) = (UInt64.max, 8, 0)
        let status = lzma_stream_buffer_decode(
            &limit, 0, nil, packed.baseAddress, &from, packed.count,
            memory.baseAddress?.assumingMemoryBound(to: UInt8.self), &length, size)
        precondition(
            status == LZMA_OK && length == size,
            "the gazetteer in the binary is damaged (liblzma says \(status.rawValue))")
        restore(memory)
        return UnsafeRawBufferPointer(memory)
    }
}
