import Glibc

/// How many files, sockets among them, this process may have open.
package enum OpenFiles {
    /// The limit, after it was raised as far as the system lets us: the usual one is from a time when `select` could
    /// not count any further.
    package static let limit: Int = {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 1_024 }
        limits.rlim_cur = min(limits.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return Int(min(limits.rlim_cur, 65_536))
    }()
}
