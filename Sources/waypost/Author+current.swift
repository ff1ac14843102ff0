import Cluster
import Glibc
import Queue

extension Author {
    /// The person who runs this command, by the login and host name.
    static let current: Author = {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var texts = [CChar](repeating: 0, count: 16_384)
        let user = getuid()
        let isKnown = getpwuid_r(user, &entry, &texts, texts.count, &found) == 0 && found != nil
        return .user(
            isKnown ? String(cString: entry.pw_name) : "user \(user)", on: ProcessIdentity.current.host)
    }()
}
