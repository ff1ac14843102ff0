import Glibc

/// The words that this process was started with, the program's own name first.
package enum ProcessArguments {
    /// Swift's runtime finds none when a library such as libfaketime was put before the C library (`LD_PRELOAD`); the
    /// kernel knows them all the same.
    package static var current: [String] {
        let arguments = CommandLine.arguments
        return arguments.isEmpty ? read("/proc/self/cmdline") : arguments
    }

    private static func read(_ path: String) -> [String] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(file, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        // Each word ends with a zero byte, and may be empty.
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
