import Glibc

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
