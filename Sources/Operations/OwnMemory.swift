import Glibc

/// What this process takes of the machine's memory.
package enum OwnMemory {
    /// In bytes, what lies in memory now; nil where the system doesn't say: https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
    package static var resident: Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .split(separator: " ")
        return words.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }
}
