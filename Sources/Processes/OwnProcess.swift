import Glibc

/// Figures about this process from Linux: https://man7.org/linux/man-pages/man5/proc.5.html
package enum OwnProcess {
    package static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// Memory that the process holds, in bytes.
    package static var residentBytes: Int { pages(1) * pageSize }

    package static func pages(_ place: Int) -> Int {
        let fields = text(of: "/proc/self/statm").split(separator: " ")
        return fields.indices.contains(place) ? Int(fields[place]) ?? 0 : 0
    }

    /// The field with this number, counted from 0. Field 1 is the program's name and may contain spaces.
    package static func stat(_ place: Int) -> Double {
        let text = text(of: "/proc/self/stat")
        guard let end = text.lastIndex(of: ")") else { return 0 }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.indices.contains(place - 2) ? Double(fields[place - 2]) ?? 0 : 0
    }

    package static var openFiles: Int {
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
    package static let began: Double = {
        let boot = text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }?.dropFirst(6)
        return (boot.flatMap { Double($0) } ?? 0) + stat(21) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    /// The boot from which this process's time since the boot counts; empty if a container hides it. Processes with
    /// equal texts have comparable times, except for clones of a virtual machine.
    ///
    /// It has the id of the host's boot: https://man7.org/linux/man-pages/man4/random.4.html. A time namespace moves the
    /// boot, so its offset is added: https://man7.org/linux/man-pages/man7/time_namespaces.7.html
    package static let hostBoot: String = {
        let boot = text(of: "/proc/sys/kernel/random/boot_id").prefix { $0 != "\n" }
        return boot.isEmpty ? "" : boot + bootOffset(in: text(of: "/proc/self/timens_offsets"))
    }()

    /// The seconds and nanoseconds by which a time namespace moves the boot; empty if it does not.
    package static func bootOffset(in offsets: String) -> String {
        let boot = offsets.split(separator: "\n").first { $0.hasPrefix("boottime ") }
        let numbers = boot?.split(separator: " ").dropFirst() ?? []
        return numbers.allSatisfy { $0 == "0" } ? "" : numbers.map { " \($0)" }.joined()
    }

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

/// How many files, including sockets, this process may have open.
package enum OpenFiles {
    /// The limit, after raising it as far as the system permits. The usual default is so low only because of `select`.
    package static let limit: Int = {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 1_024 }
        limits.rlim_cur = min(limits.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return Int(min(limits.rlim_cur, 65_536))
    }()
}
