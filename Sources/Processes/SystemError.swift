import Glibc

/// An error of the operating system, with its own text.
package struct SystemError: Error, Equatable {
    package let code: Int32

    /// The action that failed and its object: "open /var/log/waypost.log".
    package var action = ""

    package init(code: Int32, action: String = "") {
        self.code = code
        self.action = action
    }

    /// The error of `pthread_create`.
    package static func noThread(_ code: Int32) -> SystemError {
        SystemError(
            code: code,
            action: "start another thread (its number is limited by 'ulimit -u', by TasksMax of a service, and by "
                + "pids_limit of a container)")
    }

    /// The error of the system call that was just made.
    static func last(_ action: String) -> SystemError {
        SystemError(code: errno, action: action)
    }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        let reason = String(cString: strerror(code))
        return action.isEmpty ? reason : "can't \(action): \(reason)"
    }
}
