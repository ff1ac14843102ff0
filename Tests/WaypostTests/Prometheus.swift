import Foundation
import Glibc
import HTTP
import Processes
import Testing

/// A real Prometheus that scrapes and evaluates rules twice a second, until this value is released.
final class Prometheus: Sendable {
    private let process: ChildProcess
    private let url: HTTPURL
    private let client = HTTPClient(.init(userAgent: "tests"))

    /// `targets` are addresses by the name of their job.
    static func start(
        in program: Program, targets: KeyValuePairs<String, String>, rules: String
    ) async throws -> Prometheus {
        let jobs = targets.map { "  - job_name: \($0)\n    static_configs: [{targets: [\"\($1)\"]}]\n" }.joined()
        try program.write(rules, to: "alerts.yml")
        try program.write(
            """
            global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms}
            rule_files: [alerts.yml]
            scrape_configs:
            \(jobs)
            """, to: "prometheus.yml")
        let (lines, inbox) = AsyncStream.makeStream(of: String.self)
        // Prometheus has no lifeline, so a shell holds it.
        let process = try ChildProcess(
            "sh",
            [
                "-c",
                """
                prometheus --config.file=prometheus.yml --storage.tsdb.path=series --web.listen-address=127.0.0.1:0 &
                cat; kill $!; wait
                """,
            ], directory: program.folder, input: .lifeline, output: .discarded, error: .lines { inbox.yield($0) })
        for await line in lines where line.contains("Listening on") {
            let address = try #require(line.split(separator: " ").first { $0.hasPrefix("address=") }?.dropFirst(8))
            return Prometheus(process, try #require(HTTPURL("http://\(address)")))
        }
        throw CancellationError()
    }

    private init(_ process: ChildProcess, _ url: HTTPURL) {
        (self.process, self.url) = (process, url)
    }

    func stop() async {
        process.closeLifeline()
        _ = await process.exit()
        await client.close()
    }

    /// The present series of an expression, each with its labels.
    func series(_ expression: String) async throws -> [[String: String]] {
        let url = url.appending(path: "api", "v1", "query").appending(query: ["query": expression])
        let answer = try await client.send(HTTPRequest(.get, url))
        let json = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard answer.status == 200, let data = json?["data"] as? [String: Any] else {
            throw QueryRefused(expression: expression, reason: "\(json?["error"] ?? answer.status)")
        }
        return (data["result"] as? [[String: Any]] ?? []).map { $0["metric"] as? [String: String] ?? [:] }
    }

    /// Waits until the expression has series, or has none. The suite's time limit bounds it.
    func wait(for expression: String, isThere: Bool = true) async throws {
        while try await series(expression).isEmpty == isThere { try await Task.sleep(for: .milliseconds(100)) }
    }

    func waitForAlert(_ name: String, isFiring: Bool = true) async throws {
        try await wait(for: "ALERTS{alertname=\"\(name)\",alertstate=\"firing\"}", isThere: isFiring)
    }
}

struct QueryRefused: Error {
    let expression: String
    let reason: String
}
