import Foundation
import Glibc
import Polling
import Processes
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct UpTests {
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
        let program = try Program()
        defer { program.remove() }
        let up = try RunningProgram(program, "up", "--workers", "2")
        try await up.wait(for: "the cluster is up")

        // Commands in the same folder find the cluster.
        try program.write("name,city,country\nAda,Helsinki,FI\n", to: "contacts.csv")
        let geocode = try await program.run("geocode", "contacts.csv", "-o", "places.ndjson")
        #expect(geocode.code == 0, "\(geocode.error)")
        #expect(try program.read("places.ndjson").contains("located"))
        let stats = try await program.run("stats", "--json")
        #expect(stats.code == 0)
        let json = try JSONSerialization.jsonObject(with: Data(stats.output.utf8)) as? [String: Any]
        #expect(json?["friends"] as? Int == 1)
        #expect((json?["workers"] as? [Any])?.count == 2)
        #expect(try await program.run("health").code == 0)

        // A second `up` in the same folder changes nothing.
        let second = try await program.run("up")
        #expect(second.code == 1)
        #expect(second.error.contains("already runs in"), "\(second.error)")
        #expect(try await program.run("health").code == 0)

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
        let kept = try await program.run("export", "--account", "contacts.csv", "-o", "kept.ndjson")
        #expect(kept.code == 0)
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
        let program = try Program()
        defer { program.remove() }
        let outcome = try await program.run("up", environment: ["DATABASE_URL": "postgresql:///x"])
        #expect(outcome.code == 2)
        #expect(outcome.error.contains("DATABASE_URL"))
    }

    @Test func `up ends when its coordinator can't listen on its address`() async throws {
        let program = try Program()
        defer { program.remove() }
        // An address that does not belong to this machine.
        let address = "192.0.2.1:8080"
        let outcome = try await program.run("up", "--workers", "1", environment: ["WAYPOST_LISTEN": address])
        #expect(outcome.code == 1)
        #expect(outcome.error.contains("coordinator can't run with these settings"), "\(outcome.error)")
        #expect(outcome.error.contains(address))
    }

    @Test func `a command started while up is preparing waits until it is ready`() async throws {
        let program = try Program()
        defer { program.remove() }
        let up = try RunningProgram(program, "up", "--workers", "1")
        try await up.wait(for: "starting a private PostgreSQL")
        try await pollUntil { program.exists(".waypost/lock") }
        let lanes = try await program.run("lanes", "list")
        #expect(lanes.code == 0, "\(lanes.error)")
        #expect(lanes.error.contains("Waiting until it is ready"), "\(lanes.error)")
        #expect(lanes.output.contains("gazetteer"))
        up.process.send(SIGINT)
        #expect(await up.process.exit() == .code(0))
    }
}
