import Glibc
import Processes

/// The last lines of a log that this program wrote.
///
/// A file may also have lines of other programs, such as PostgreSQL's, which may contain a contact's data. Only lines in the
/// formats `logfmt` and `json`, errors with which this program ended, and systemd's lines about it are kept.
struct LogExcerpt {
    let lines: [String]
    let others: Int

    /// The most that is read of a file, from its end.
    private static let mostBytes = 8 << 20

    init(_ text: String) {
        let all = text.split(whereSeparator: \.isNewline)
        lines = all.compactMap(Self.line)
        others = all.count - lines.count
    }

    init(file path: String) throws {
        self.init(try Self.tail(of: path))
    }

    /// The end of a file, or of standard input for `-`.
    static func tail(of path: String) throws -> String {
        let descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        // A pipe has no end to seek to.
        if size >= 0 { lseek(descriptor, max(0, size - off_t(mostBytes)), SEEK_SET) }
        var bytes: [UInt8] = []
        while bytes.count < mostBytes {
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(code: errno) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the last lines of our units in systemd's journal. Nil if it has none.
    init?(journalOf units: String) async {
        let outcome = try? await ChildProcess.output(
            of: "journalctl", ["-u", units, "-n", "20000", "--no-pager", "-q", "-o", "with-unit"])
        guard let outcome, outcome.exit.isSuccess else { return nil }
        self.init(String(decoding: outcome.output.suffix(Self.mostBytes), as: UTF8.self))
        if lines.isEmpty { return nil }
    }

    /// The part of a line that is ours, with the name that Compose or the journal put before it. Nil if none is.
    private static func line(_ text: Substring) -> String? {
        for pattern in [logged, printed, reported] {
            if let match = text.firstMatch(of: pattern) { return String(match.output) }
        }
        return nil
    }

    /// A line of the log.
    private static var logged: Regex<Substring> {
        /(?:[a-z][a-z0-9_.\-]* +\| |waypost[a-z0-9@._\-]*\[[0-9]+\]: )?(?:time=[0-9T:.\-]+Z level=[a-z]+ message=|{"time":"[0-9T:.\-]+Z","level":"[a-z]+","message":").*/
    }

    /// A line of the error with which the program ended.
    private static var printed: Regex<Substring> {
        /(?:^|[a-z][a-z0-9_.\-]* +\| |waypost[a-z0-9@._\-]*\[[0-9]+\]: )(?:waypost: |waypost can't start:| +- [A-Z_]+ | +hint: | +while running: ).*/
    }

    /// A line of systemd about one of our units.
    private static var reported: Regex<Substring> { /(?:systemd|init\.scope)\[1\]: waypost[a-z0-9@._\-]*: .*/ }
}
