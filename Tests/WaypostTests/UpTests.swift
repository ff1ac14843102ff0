import Foundation
import Glibc
import Polling
import Processes
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct UpTests {
    private let program = Program()

    @Test(arguments: [
        "deploy/systemd/waypost-.service.d/common.conf", "deploy/Dockerfile", "docker-compose.yml",
        "deploy/kubernetes/base/kustomization.yaml", "docs/operations/by-hand.md",
    ])
    func `no service writes its memory into the log when it crashes`(file: String) throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        #expect(text.contains(/\bSWIFT_BACKTRACE(=|: )enable=no\n/))
    }

    /// The sockets of private servers on this machine.
    private func sockets() throws -> Set<String> {
        try Set(
            FileManager.default.contentsOfDirectory(atPath: "/tmp").filter {
                $0.hasPrefix("waypost-") && $0.count == 14
            })
    }

    @Test func `up runs a cluster that other commands find, restarts its children, and leaves nothing behind`()
        async throws
    {
        let up = try RunningProgram(program, "up", "--workers", "2")
        try await up.wait(for: "the cluster is up")

        // Commands in the same folder find the cluster.
        try program.write("name,city,country\nAda,Helsinki,FI\n", to: "contacts.csv")
        try await program.run("geocode contacts.csv -o places.ndjson").expect(0)
        #expect(try program.read("places.ndjson").contains("located"))
        let stats = try await program.run("stats --json").expect(0)
        let json = try JSONSerialization.jsonObject(with: Data(stats.output.utf8)) as? [String: Any]
        #expect(json?["friends"] as? Int == 1)
        #expect((json?["workers"] as? [Any])?.count == 2)
        try await program.run("health").expect(0)

        // A second `up` in the same folder changes nothing.
        try await program.run("up").expect(1, error: "already runs in")
        try await program.run("health").expect(0)

        // A child that crashes is reported and replaced.
        let victim = try #require(up.children("worker").first)
        kill(victim, SIGKILL)
        let report = try await up.wait(for: "ended unexpectedly")
        #expect(report.contains("\(victim)"), "\(report)")
        try await pollUntil { try up.children("worker").count == 2 }
        #expect(try !up.children("worker").contains(victim))

        let children = try up.children("worker") + up.children("coordinator")
        #expect(children.count == 3)
        for pid in children {
            let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ") ?? Data()
            #expect(environment.split(separator: 0).contains(Data("SWIFT_BACKTRACE=enable=no".utf8)))
        }
        let socket = try program.read(".waypost/url").split(separator: "host=")[1].prefix { $0 != "&" }
        up.process.send(SIGINT)
        #expect(await up.process.exit() == .code(0))
        for pid in children { #expect(kill(pid, 0) == -1) }
        #expect(access(String(socket), F_OK) == -1)
        #expect(!program.exists(".waypost/url"))

        // The data is kept for a second run.
        let again = try RunningProgram(program, "up", "--workers", "1")
        try await again.wait(for: "the cluster is up")
        try await program.run("export --account contacts.csv -o kept.ndjson").expect(0)
        #expect(try program.read("kept.ndjson") == program.read("places.ndjson"))
        // Killing `up` also ends its children and its server.
        let orphans = try again.children("worker") + again.children("coordinator")
        again.process.send(SIGKILL)
        _ = await again.process.exit()
        try await pollUntil { orphans.allSatisfy { kill($0, 0) != 0 } }
        let third = try RunningProgram(program, "up", "--workers", "1")
        try await third.wait(for: "the cluster is up")
        third.process.send(SIGTERM)
        #expect(await third.process.exit() == .code(0))
    }

    @Test func `up refuses to run with a database in the settings`() async throws {
        try await program.run("up", environment: ["DATABASE_URL": "postgresql:///x"]).expect(2, error: "DATABASE_URL")
    }

    @Test func `up ends when its coordinator can't listen on its address`() async throws {
        // An address that does not belong to this machine.
        let address = "192.0.2.1:8080"
        try await program.run("up --workers 1", environment: ["WAYPOST_LISTEN": address]).expect(
            1, error: "coordinator can't run with these settings", address)
    }

    @Test func `a command started while up is preparing waits until it is ready`() async throws {
        let up = try RunningProgram(program, "up", "--workers", "1")
        try await up.wait(for: "starting a private PostgreSQL")
        try await pollUntil { program.exists(".waypost/lock") }
        try await program.run("lanes list").expect(0, has: "gazetteer", error: "Waiting until it is ready")
        up.process.send(SIGINT)
        #expect(await up.process.exit() == .code(0))
    }
}
