import CLinux
import Glibc

/// Starts a program with `posix_spawn` and the settings that every child needs. Returns its process id.
func spawn(
    _ executable: String, _ arguments: [String], environment: [String: String]?, directory: String?,
    streams: [Int32?]
) throws(SystemError) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in streams.enumerated() {
        if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target)) }
    }
    if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }

    var pid: Int32 = 0
    let variables = (environment ?? ProcessEnvironment.current).map { "\($0.key)=\($0.value)" }
    let result = withCStrings([executable] + arguments) { arguments in
        withCStrings(variables) { variables in
            posix_spawnp(&pid, executable, &actions, &attributes, arguments, variables)
        }
    }
    guard result == 0 else {
        let place = directory.map { " in \($0)" } ?? ""
        throw SystemError(code: result, action: "start \(executable)\(place)")
    }
    return pid
}

/// Passes `strings` as the null-terminated array of C strings that `exec` and related functions expect.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
