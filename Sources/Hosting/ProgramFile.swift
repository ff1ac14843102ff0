import Glibc

/// Identifies a program's file, to notice that another file has replaced it.
package struct ProgramFile: Sendable, Equatable {
    private let device: UInt
    private let node: UInt
    private let size: Int
    private let changedAt: Int

    /// Nil if the file does not exist.
    package init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        (device, node) = (info.st_dev, info.st_ino)
        (size, changedAt) = (info.st_size, info.st_mtim.tv_sec)
    }
}
