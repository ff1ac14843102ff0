import Foundation
import HTTPTesting
import Processes
import Testing

/// Commands on the private cluster of a folder, one after another, as a person gives them.
struct FolderCommandTests {
    private let program = Program()

    init() throws {
        try program.write("name,street,city,postcode,country\nAda,Kaivokatu 2,Helsinki,00100,FI\n", to: "a.csv")
    }

    @Test func `after geocode, other commands find its contacts in the folder, until it is forgotten`() async throws {
        try await program.run("stats").expect(error: "nor was there ever one")
        #expect(!program.exists(".waypost"))
        try await program.run("geocode a.csv -o b.csv").expect(0, has: "waypost forget")
        let export = try await program.run("export --account a.csv -o c.csv").expect(0)
        #expect(try program.read("c.csv").contains("Ada"))
        #expect(try program.read("c.csv").contains("© GeoNames") && export.error.contains("© GeoNames"))
        for words in [["friends", "list", "--account", "a.csv"], ["stats"], ["accounts", "list"], ["log"]] {
            try await program.run(words).expect(0)
        }
        try await program.run("friends list --account a.csv").expect(has: "Ada")

        try await program.run("forget").expect(2, error: "--yes")
        try await program.run("forget --yes").expect(0)
        #expect(!program.exists(".waypost") && program.exists("b.csv"))
        try await program.run("forget --yes").expect(has: "Nothing is kept")
    }

    @Test func `a folder is not forgotten while a cluster runs in it`() async throws {
        let up = try RunningProgram(program, "up", "--workers", "1")
        try await up.wait(for: "the cluster is up")
        try await program.run("forget --yes").expect(1, error: "already runs")
        up.process.send(SIGTERM)
        _ = await up.process.exit()
        #expect(program.exists(".waypost"))
    }

    @Test func `a provider that is not set in this terminal is skipped with one sentence`() async throws {
        let server = try ScriptedServer { _ in .json("[]") }
        defer { server.stop() }
        let environment = ["WAYPOST_NOMINATIM_URL": server.url]
        try await program.run("geocode a.csv -o b.csv", environment: environment).expect(0)
        #expect(!server.requests.isEmpty)
        let rows = (1...30).map { "P\($0),Street \($0),Helsinki,00100,FI\n" }.joined()
        try program.write("name,street,city,postcode,country\n\(rows)", to: "more.csv")
        let next = try await program.run("geocode more.csv -o b.csv").expect(0)
        let sentence = "nominatim is skipped: WAYPOST_NOMINATIM_URL isn't set in this terminal."
        #expect(next.error.components(separatedBy: sentence).count == 2, "\(next.error)")
        #expect(try program.read("b.csv").split(separator: "\n").count { $0.contains(",located,") } == 30)
        try await program.run("geocode", "Mannerheimintie 1, 00100 Helsinki, Finland").expect(0, error: sentence)
    }

    @Test func `a single address is asked again if its answer is weak and the chain is newer`() async throws {
        let words = ["geocode", "Kaivokatu 2, 00100 Helsinki, Finland"]
        try await program.run(words).expect(0, has: "postcode")
        let points = URL(fileURLWithPath: Program.sample).deletingLastPathComponent().appending(path: "points.csv.gz")
        try await program.run("points load", points.path, "--name", "houses").expect(0)
        let second = try await program.run(words).expect(0, has: "rooftop")
        // It has its answer, so a third time costs no call.
        let before = try await program.run("lanes show houses").output
        #expect(try await program.run(words).output == second.output)
        #expect(try await program.run("lanes show houses").output.contains(calls(in: before)))
    }

    private func calls(in text: String) -> String {
        text.split(separator: "\n").first { $0.hasPrefix("calls ") }.map(String.init) ?? "none"
    }
}
