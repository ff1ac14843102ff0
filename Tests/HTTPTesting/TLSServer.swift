import Foundation
import Processes

/// `openssl s_server` on 127.0.0.1, with its own certificate for a name of the test's choice.
package struct TLSServer: Sendable {
    package let port: Int
    /// The path of the certificate, for clients that trust it.
    package let certificate: String
    private let directory: String
    private let process: ChildProcess

    /// Replies to `/NAME` with the text of that name in `answers`, including headers.
    package static func start(certifiedFor name: String, answers: [String: String] = [:]) async throws -> Self {
        let directory = NSTemporaryDirectory() + "waypost-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (file, text) in answers {
            try text.write(toFile: "\(directory)/\(file)", atomically: true, encoding: .utf8)
        }
        let made = try await ChildProcess.output(
            of: "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                "-subj", "/CN=test", "-addext", "subjectAltName=\(name)", "-keyout", "key.pem", "-out",
                "certificate.pem",
            ], directory: directory)
        guard made.exit.isSuccess else { throw SystemError(code: EPROTO, action: "make a certificate with openssl") }

        let (lines, line) = AsyncStream<String>.makeStream()
        let process = try ChildProcess(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-key", "key.pem", "-cert", "certificate.pem", "-HTTP"],
            directory: directory, input: .lifeline, output: .lines { line.yield($0) }, error: .discarded)
        Task {
            _ = await process.exit()
            line.finish()
        }
        for await line in lines {
            // "ACCEPT 127.0.0.1:41233"
            guard line.hasPrefix("ACCEPT"), let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
                continue
            }
            return Self(port: port, certificate: directory + "/certificate.pem", directory: directory, process: process)
        }
        throw SystemError(code: EPROTO, action: "start openssl s_server")
    }

    package func stop() async throws {
        process.send(SIGKILL)
        _ = await process.exit()
        try FileManager.default.removeItem(atPath: directory)
    }
}
