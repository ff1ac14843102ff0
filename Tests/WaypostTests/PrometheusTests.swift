import DatabaseTesting
import Foundation
import Glibc
import HTTP
import Postgres
import Processes
import Testing

/// The metrics of a running cluster, as a real Prometheus reads them.
@Suite(.database)
struct PrometheusTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
    }

    @Test func `the page of metrics lists exactly the metrics that a cluster exports`() async throws {
        try await withCluster { cluster in
            try await cluster.importFriends(3)
            _ = try await cluster.get("/nominatim/search?q=Helsinki", at: cluster.coordinatorAddress)
            let coordinator = try await cluster.scrape(cluster.coordinatorAddress)
            let worker = try await cluster.scrape(cluster.workerAddress)
            for (name, text) in [("coordinator", coordinator), ("worker", worker)] {
                try cluster.program.write(text, to: name)
                let check = try await ChildProcess.output(
                    of: "sh", ["-c", "promtool check metrics < \(name)"], directory: cluster.program.folder)
                #expect(check.exit.isSuccess && check.error.isEmpty, "\(String(decoding: check.error, as: UTF8.self))")
            }
            let exported = Metric.exported(in: coordinator).union(Metric.exported(in: worker))
            let listed = Metric.listed(in: try text("docs/operations/metrics.md"))
            #expect(exported.subtracting(listed) == [], "missing on the page")
            #expect(listed.subtracting(exported) == [], "on the page and not exported")

            let ready = try await cluster.get("/readyz", at: cluster.workerAddress)
            #expect(ready == #"{"status":"ok","reasons":[]}"#)
            #expect(try await cluster.get("/livez", at: cluster.workerAddress) == ready)
        }
    }

    @Test func `alerts fire and clear with their causes, and each dashboard query has data`() async throws {
        try await withCluster { cluster in
            let metrics = Metric.exported(in: try await cluster.scrape(cluster.coordinatorAddress))
                .union(Metric.exported(in: try await cluster.scrape(cluster.workerAddress)))
            // The real rules, with seconds instead of minutes.
            let rules = try text("deploy/prometheus/alerts.yml")
                .replacing(/for: [0-9]+m/, with: "for: 1s").replacing(/\[[0-9]+[mh]\]/, with: "[6s]")
            #expect(unknown(in: rules, but: metrics) == [])
            let prometheus = try await Prometheus.start(
                in: cluster.program,
                targets: ["waypost-coordinator": cluster.coordinatorAddress, "waypost-worker": cluster.workerAddress],
                rules: rules)
            try await cluster.importFriends(3)
            try await prometheus.wait(for: "max(waypost_lane_calls_total) > 0")

            // A lane whose workers are all quiet is stuck once a question waits in it.
            try await cluster.waypost("workers", "quiet", "1")
            try await cluster.importFriends(5)
            try await prometheus.waitForAlert("WaypostLaneStuck")
            let queries = try dashboardQueries()
            #expect(queries.count > 60)
            for (panel, query) in queries {
                #expect(unknown(in: query, but: metrics) == [], "\(panel)")
                #expect(try await !prometheus.series(query).isEmpty, "\(panel): \(query)")
            }
            try await cluster.waypost("workers", "resume", "1")
            try await prometheus.waitForAlert("WaypostLaneStuck", isFiring: false)

            // A cluster without its coordinator has no leader.
            try await prometheus.waitForAlert("WaypostNoLeader", isFiring: false)
            cluster.coordinator.process.send(SIGKILL)
            _ = await cluster.coordinator.process.exit()
            try await prometheus.waitForAlert("WaypostNoLeader")
            let second = try await cluster.startCoordinator(at: cluster.coordinatorAddress)
            try await prometheus.waitForAlert("WaypostNoLeader", isFiring: false)
            second.process.send(SIGKILL)
            _ = await second.process.exit()
            await prometheus.stop()
        }
    }

    /// All expressions of all dashboards, as Grafana would send them.
    private func dashboardQueries() throws -> [(panel: String, query: String)] {
        let folder = Self.repository.appending(path: "deploy/grafana/dashboards")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap {
            file in
            let board = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
            return (board?["panels"] as? [[String: Any]] ?? []).flatMap { panel in
                (panel["targets"] as? [[String: Any]] ?? []).compactMap { target in
                    (target["expr"] as? String).map { expression in
                        (
                            panel: "\(file.lastPathComponent): \(panel["title"] ?? "")",
                            query: expression.replacing("$__rate_interval", with: "10s").replacing("$lane", with: ".*")
                                .replacing("$instance", with: ".*")
                        )
                    }
                }
            }
        }
    }

    /// The metric names in an expression or in rules that no process exports.
    private func unknown(in text: String, but metrics: Set<Metric>) -> Set<String> {
        let names = Set(metrics.flatMap(\.seriesNames))
        return Set(text.matches(of: /\b(?:waypost|process)_[a-z_]+/).map { String($0.output) }).subtracting(names)
    }

    private func withCluster(_ body: (WatchedCluster) async throws -> Void) async throws {
        let cluster = try await WatchedCluster(on: Database.testURL)
        do { try await body(cluster) } catch {
            await cluster.stop()
            throw error
        }
        await cluster.stop()
    }
}

/// A metric with its type and its labels.
private struct Metric: Hashable, CustomStringConvertible {
    let name: String
    let type: String
    let labels: [String]

    var description: String { "\(name) (\(type): \(labels.joined(separator: ", ")))" }

    var seriesNames: [String] { type == "histogram" ? ["_bucket", "_sum", "_count"].map { name + $0 } : [name] }

    static func exported(in text: String) -> Set<Metric> {
        var metrics: Set<Metric> = []
        var current: (name: String, type: String)?
        for line in text.split(separator: "\n") {
            if let type = line.wholeMatch(of: /# TYPE (\S+) (\S+)/) {
                current = (String(type.1), String(type.2))
            } else if !line.hasPrefix("#"), let (name, type) = current {
                let labels = line.matches(of: /([a-z_]+)="/).map { String($0.1) }.filter { $0 != "le" }
                metrics.insert(Metric(name: name, type: type, labels: labels))
            }
        }
        return metrics
    }

    static func listed(in page: String) -> Set<Metric> {
        Set(
            page.split(separator: "\n").compactMap { line in
                line.firstMatch(of: /^\| `([a-z_]+)` \| (counter|gauge|histogram) \|([^|]*)\|/).map { row in
                    Metric(
                        name: String(row.1), type: String(row.2),
                        labels: row.3.matches(of: /`([a-z_]+)`/).map { String($0.1) })
                }
            })
    }
}

/// A coordinator and a worker, each with its metrics.
private struct WatchedCluster {
    let program = Program()
    let coordinator: RunningProgram
    let coordinatorAddress: String
    let worker: RunningProgram
    let workerAddress: String
    private let client = HTTPClient(.init(userAgent: "tests"))
    private let environment: [String: String]

    init(on url: String) async throws {
        environment = ["DATABASE_URL": url, "WAYPOST_SILENCE_LIMIT": "2s", "WAYPOST_MONTHLY_BUDGET": "100 EUR"]
        try await program.run("lanes limit gazetteer 1000/s 100000/d", environment: environment).expect(0)
        try await program.run("lanes set gazetteer --price", "1 EUR", environment: environment).expect(0)
        coordinator = try RunningProgram(
            program, "coordinator",
            // Not a standby, so it answers no reads. Its metrics exist only with this setting.
            environment: environment.merging(["WAYPOST_LISTEN": "127.0.0.1:0", "WAYPOST_READ_URL": url]) { $1 })
        worker = try RunningProgram(
            program, "worker", environment: environment.merging(["WAYPOST_WORKER_LISTEN": "127.0.0.1:0"]) { $1 })
        coordinatorAddress = try Self.address(in: await coordinator.wait(for: "serving the API"))
        workerAddress = try Self.address(in: await worker.wait(for: "serving health and metrics"))
        try await worker.wait(for: "started")
    }

    private static func address(in line: String) throws -> String {
        String(try #require(line.split(separator: " ").first { $0.hasPrefix("address=") }?.dropFirst(8)))
    }

    func startCoordinator(at address: String) async throws -> RunningProgram {
        let coordinator = try RunningProgram(
            program, "coordinator", environment: environment.merging(["WAYPOST_LISTEN": address]) { $1 })
        try await coordinator.wait(for: "serving the API")
        return coordinator
    }

    func waypost(_ words: String...) async throws {
        try await program.run(words, environment: environment).expect(0)
    }

    /// New friends at each call, so that there are new questions.
    func importFriends(_ count: Int) async throws {
        let cities = ["Helsinki,FI", "Oslo,NO", "Reykjavik,IS", "Riga,LV", "Tallinn,EE", "Vilnius,LT"]
        let rows = cities.prefix(count).enumerated().map { "Friend \(count)-\($0),\(count) Street,\($1)" }
        try program.write("name,street,city,country\n" + rows.joined(separator: "\n") + "\n", to: "\(count).csv")
        try await waypost("import", "\(count).csv")
    }

    func get(_ path: String, at address: String) async throws -> String {
        let url = try #require(HTTPURL("http://\(address)\(path)"))
        let answer = try await client.send(HTTPRequest(.get, url))
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// The second scrape also shows the request of the first one.
    func scrape(_ address: String) async throws -> String {
        _ = try await get("/metrics", at: address)
        return try await get("/metrics", at: address)
    }

    func stop() async {
        for running in [coordinator, worker] {
            running.process.send(SIGKILL)
            _ = await running.process.exit()
        }
        await client.close()
    }
}
