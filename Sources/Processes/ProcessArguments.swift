import CLinux
import Glibc

/// The arguments of this process, the program's own name first.
package enum ProcessArguments {
    /// Swift's runtime finds none if a library such as libfaketime is loaded before the C library (`LD_PRELOAD`). Then
    /// they are read from the kernel.
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
        // Each argument ends with a zero byte, and may be empty.
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

/// The environment variables of this process.
package enum ProcessEnvironment {
    /// All variables, read again at each use. Foundation could do it too, but adds ten megabytes.
    package static var current: [String: String] {
        var variables: [String: String] = [:]
        var next = process_environment()
        while let entry = next?.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next = next?.successor()
        }
        return variables
    }
}
