import CLinux
import Glibc

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
