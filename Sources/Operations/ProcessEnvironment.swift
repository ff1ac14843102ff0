import CLinux
import Glibc

/// The variables this process was started with.
package enum ProcessEnvironment {
    /// All of them, read anew. Foundation would give the same for ten megabytes more.
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
