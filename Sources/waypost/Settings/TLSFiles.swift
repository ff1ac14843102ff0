import FoundationEssentials
import Glibc
import HTTP
import Processes
import Queue

/// The paths of the API server's certificate and key.
struct TLSFiles: Sendable {
    let certificate: String
    let key: String

    static func text(of path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// The content of both files.
    func read() throws(ServerError) -> (certificate: String, key: String) {
        guard let chain = Self.text(of: certificate) else {
            throw ServerError(description: "\(certificate) can't be read as a text file")
        }
        guard let secret = Self.text(of: key) else {
            throw ServerError(description: "\(key) can't be read as a text file")
        }
        return (chain, secret)
    }

    /// Returns whether users other than the owner and the group may read or write the key.
    var keyIsOpenToOthers: Bool {
        var status = stat()
        return stat(key, &status) == 0 && status.st_mode & 0o006 != 0
    }

    /// Changes whenever one of the files is written or replaced.
    var version: [Int] {
        [certificate, key].flatMap { path -> [Int] in
            var status = stat()
            guard stat(path, &status) == 0 else { return [] }
            return [Int(status.st_dev), Int(bitPattern: status.st_ino), Int(status.st_size)]
                + Self.words(of: status.st_mtim) + Self.words(of: status.st_ctim)
        }
    }

    /// The seconds and nanoseconds of a `timespec`. As a whole module, the compiler takes its members for those of a
    /// module that can't be imported.
    private static func words<Time>(of time: Time) -> [Int] {
        withUnsafeBytes(of: time) { Array($0.bindMemory(to: Int.self)) }
    }

    /// The time before the end of a certificate from which the log and `doctor` warn.
    static let notice = 14 * 86_400

    /// `2027-02-26`, in UTC.
    static func day(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601.year().month().day())
    }

    /// Returns whether the certificate ends soon, and warns then.
    @discardableResult
    func warnOfEnd(_ certificate: ServerCertificate, _ log: Log) -> Bool {
        guard certificate.end < time(nil) + Self.notice else { return false }
        log.warning(
            "the TLS certificate ends soon or has ended: renew it",
            ["file": self.certificate, "valid_until": Self.day(certificate.end)])
        return true
    }

    /// Nil if the certificate can't be read, such as by another user than the server's.
    var finding: Finding? {
        guard let end = Self.text(of: certificate).flatMap({ ServerCertificate.end(of: $0) }) else { return nil }
        let text = "the TLS certificate is valid until \(Self.day(end))"
        guard end < time(nil) + Self.notice else { return .ok("certificate", text) }
        let remedy = "renew \(certificate); the coordinator reads the new one within 5 s"
        return end < time(nil)
            ? .problem("certificate", "the TLS certificate ended on \(Self.day(end))", remedy)
            : .warning("certificate", text, remedy)
    }

    func warnOfOpenKey(_ log: Log) {
        guard keyIsOpenToOthers else { return }
        log.warning("other users of this machine may read the TLS key: run 'chmod o= FILE'", ["file": key])
    }

    /// Reads the files again at each SIGHUP, and whenever they differ from `version`, until the task is cancelled. If
    /// they are invalid, the old certificate stays.
    func reload(
        _ certificate: ServerCertificate, since version: [Int], hangUps: HangUps,
        every interval: Duration = .seconds(5), log: Log
    ) async {
        let (events, event) = AsyncStream<Bool>.makeStream()
        hangUps.listen { event.yield(true) }
        let clock = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                event.yield(false)
            }
        }
        defer { clock.cancel() }
        var known = version
        for await isAsked in events {
            let current = self.version
            guard isAsked || current != known else { continue }
            known = current
            do {
                let (chain, secret) = try read()
                try certificate.replace(by: chain, key: secret)
                if !warnOfEnd(certificate, log) {
                    log.info("new certificate, valid until \(Self.day(certificate.end))", ["file": self.certificate])
                }
                warnOfOpenKey(log)
            } catch {
                log.error("the new TLS certificate is not used; the old one stays", ["error": "\(error)"])
            }
        }
    }
}
