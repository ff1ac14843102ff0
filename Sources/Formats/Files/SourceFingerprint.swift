import Geocoding
import Glibc

/// What tells a source from another, and from itself after a change.
package enum SourceFingerprint {
    /// Of a file: which one it is, how long, and when it was last written. `options` are whatever else decides how it is
    /// read. Nil for what can be read only once, such as a pipe.
    package static func ofFile(_ path: String, options: [String] = []) -> String? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let facts = [
            "\(status.st_dev)", "\(status.st_ino)", "\(status.st_size)", "\(status.st_mtim.tv_sec)",
            "\(status.st_mtim.tv_nsec)",
        ]
        return ofText((facts + options).joined(separator: "\u{1F}"))
    }

    /// Of whatever names a source and its version.
    package static func ofText(_ text: String) -> String {
        SHA256.digest(of: Array(text.utf8)).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }
}
