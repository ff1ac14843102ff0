import Glibc

/// The metrics about the process that every Prometheus client exports, with the usual names:
/// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
extension Metrics {
    /// Exports the memory, the CPU time and the files of this process, and its version.
    package func watchProcess(version: String) {
        gauge("waypost_build_info", "Always 1; the label tells which version runs.", labels: "version")[version].set(1)
        total("process_cpu_seconds_total", "CPU time that the process has used.")[].read {
            // POSIX fixes the unit of `clock()` at a millionth of a second.
            Double(clock()) * 1e-6
        }
        gauge("process_resident_memory_bytes", "Memory that the process holds.")[].read {
            Double(OwnProcess.residentBytes)
        }
        gauge("process_virtual_memory_bytes", "Addresses that the process has mapped.")[].read {
            Double(OwnProcess.pages(0) * OwnProcess.pageSize)
        }
        gauge("process_open_fds", "Files that the process has open, sockets among them.")[].read {
            Double(OwnProcess.openFiles)
        }
        gauge("process_max_fds", "Files that the process may have open.")[].read { Double(OpenFiles.limit) }
        gauge("process_threads", "Threads of the process.")[].read { OwnProcess.stat(19) }
        gauge("process_start_time_seconds", "When the process began, since 1970.")[].set(OwnProcess.began)
    }
}

/// Figures about this process from Linux: https://man7.org/linux/man-pages/man5/proc.5.html
package enum OwnProcess {
    static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// Memory that the process holds, in bytes.
    package static var residentBytes: Int { pages(1) * pageSize }

    static func pages(_ place: Int) -> Int {
        let fields = text(of: "/proc/self/statm").split(separator: " ")
        return fields.indices.contains(place) ? Int(fields[place]) ?? 0 : 0
    }

    /// The field with this number, counted from 0. Field 1 is the program's name and may contain spaces.
    static func stat(_ place: Int) -> Double {
        let text = text(of: "/proc/self/stat")
        guard let end = text.lastIndex(of: ")") else { return 0 }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.indices.contains(place - 2) ? Double(fields[place - 2]) ?? 0 : 0
    }

    static var openFiles: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            // The entries "." and ".." are not counted.
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        // Minus the descriptor of the folder itself.
        return count - 1
    }

    /// When the process started, in seconds since 1970 on this host's clock.
    static let began: Double = {
        let boot = text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }?.dropFirst(6)
        return (boot.flatMap { Double($0) } ?? 0) + stat(21) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    /// The id of this host's boot, equal in all of its processes: https://man7.org/linux/man-pages/man4/random.4.html
    package static let hostBoot: String = String(text(of: "/proc/sys/kernel/random/boot_id").prefix { $0 != "\n" })

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += piece[..<count]
        }
    }
}
