import Foundation
import HTTPTesting
import Processes
import Testing

/// Commands on the private cluster of a folder, one after another, as a person gives them.
struct FolderCommandTests {
    private let program: Program

    init() throws {
        program = try Program()
        try program.write("name,street,city,postcode,country\nAda,Kaivokatu 2,Helsinki,00100,FI\n", to: "a.csv")
    }

    private func run(_ words: String..., environment: [String: String] = [:]) async throws -> Program.Outcome {
        try await program.run(words, environment: environment)
    }

    @Test func `after geocode, other commands find its contacts in the folder, until it is forgotten`() async throws {
        defer { program.remove() }
        #expect(try await run("stats").error.contains("nor was there ever one"))
        #expect(!program.exists(".waypost"))
        let geocode = try await run("geocode", "a.csv", "-o", "b.csv")
        #expect(geocode.code == 0, "\(geocode)")
        #expect(geocode.output.contains("waypost forget"), "\(geocode.output)")
        let export = try await run("export", "--account", "a.csv", "-o", "c.csv")
        #expect(export.code == 0, "\(export)")
        #expect(try program.read("c.csv").contains("Ada"))
        #expect(try program.read("c.csv").contains("© GeoNames") && export.error.contains("© GeoNames"))
        for words in [["friends", "list", "--account", "a.csv"], ["stats"], ["accounts", "list"], ["log"]] {
            let outcome = try await program.run(words)
            #expect(outcome.code == 0, "\(words): \(outcome)")
        }
        #expect(try await run("friends", "list", "--account", "a.csv").output.contains("Ada"))

        let unsure = try await run("forget")
        #expect(unsure.code == 2 && unsure.error.contains("--yes"), "\(unsure)")
        let forget = try await run("forget", "--yes")
        #expect(forget.code == 0, "\(forget)")
        #expect(!program.exists(".waypost") && program.exists("b.csv"))
        #expect(try await run("forget", "--yes").output.contains("Nothing is kept"))
    }

    @Test func `a folder is not forgotten while a cluster runs in it`() async throws {
        defer { program.remove() }
        let up = try RunningProgram(program, "up", "--workers", "1")
        try await up.wait(for: "the cluster is up")
        let forget = try await run("forget", "--yes")
        #expect(forget.code == 1 && forget.error.contains("already runs"), "\(forget)")
        up.process.send(SIGTERM)
        _ = await up.process.exit()
        #expect(program.exists(".waypost"))
    }

    @Test func `a provider that is not set in this terminal is skipped with one sentence`() async throws {
        let server = try ScriptedServer { _ in .json("[]") }
        defer {
            server.stop()
            program.remove()
        }
        let environment = ["WAYPOST_NOMINATIM_URL": server.url]
        #expect(try await run("geocode", "a.csv", "-o", "b.csv", environment: environment).code == 0)
        #expect(!server.requests.isEmpty)
        let rows = (1...30).map { "P\($0),Street \($0),Helsinki,00100,FI\n" }.joined()
        try program.write("name,street,city,postcode,country\n\(rows)", to: "more.csv")
        let next = try await run("geocode", "more.csv", "-o", "b.csv")
        #expect(next.code == 0, "\(next)")
        let sentence = "nominatim is skipped: WAYPOST_NOMINATIM_URL isn't set in this terminal."
        #expect(next.error.components(separatedBy: sentence).count == 2, "\(next.error)")
        #expect(try program.read("b.csv").split(separator: "\n").count { $0.contains(",located,") } == 30)
        let single = try await run("geocode", "Mannerheimintie 1, 00100 Helsinki, Finland")
        #expect(single.code == 0 && single.error.contains(sentence), "\(single)")
    }

    @Test func `a single address is asked again if its answer is weak and the chain is newer`() async throws {
        defer { program.remove() }
        let words = ["geocode", "Kaivokatu 2, 00100 Helsinki, Finland"]
        let first = try await program.run(words)
        #expect(first.code == 0 && first.output.contains("postcode"), "\(first)")
        let points = URL(fileURLWithPath: Program.sample).deletingLastPathComponent().appending(path: "points.csv.gz")
        #expect(try await run("points", "load", points.path, "--name", "houses").code == 0)
        let second = try await program.run(words)
        #expect(second.code == 0 && second.output.contains("rooftop"), "\(second)")
        // It has its answer, so a third time costs no call.
        let before = try await run("lanes", "show", "houses").output
        #expect(try await program.run(words).output == second.output)
        #expect(try await run("lanes", "show", "houses").output.contains(calls(in: before)))
    }

    private func calls(in text: String) -> String {
        text.split(separator: "\n").first { $0.hasPrefix("calls ") }.map(String.init) ?? "none"
    }
}
