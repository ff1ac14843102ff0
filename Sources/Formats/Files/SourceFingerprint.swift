import Geocoding
import Glibc
import Processes

/// Identifies a source and its version.
enum SourceFingerprint {
    /// The fingerprint of a file: its identity, its length and its time of modification. `options` are all settings
    /// that change how it is read. Nil for a source that can be read only once, such as a pipe.
    static func ofFile(_ path: String, options: [String] = []) -> String? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let facts = [
            "\(status.st_dev)", "\(status.st_ino)", "\(status.st_size)", "\(status.st_mtim.tv_sec)",
            "\(status.st_mtim.tv_nsec)",
        ]
        return ofText((facts + options).joined(separator: "\u{1F}"))
    }

    /// The fingerprint of a text that names a source and its version.
    static func ofText(_ text: String) -> String {
        SHA256.bytes(of: Array(text.utf8)).hexadecimal
    }
}
