import DatabaseTesting
import Glibc
import HTTP
import Operations
import Postgres
import Testing

@testable import waypost

@Suite(.database, .timeLimit(.minutes(2)))
struct ServeTests {
    /// A coordinator that serves the API, and where.
    private func served(
        _ environment: [String: String] = [:], _ body: (HTTPURL, HTTPClient, Program) async throws -> Void
    ) async throws {
        let program = try Program()
        defer { program.remove() }
        var settings = ["DATABASE_URL": try Database.testURL, "WAYPOST_LISTEN": "127.0.0.1:0"]
        settings.merge(environment) { _, new in new }
        let running = try RunningProgram(program, "coordinator", environment: settings)
        let line = try await running.wait(for: "serving the API")
        let address = try #require(line.split(separator: " ").first { $0.hasPrefix("address=") }?.dropFirst(8))
        let client = HTTPClient(.init(userAgent: "tests"))
        do { try await body(#require(HTTPURL("http://\(address)")), client, program) } catch {
            await client.close()
            throw error
        }
        await client.close()
        kill(running.process.pid, SIGTERM)
        _ = await running.process.exit()
    }

    private func status(_ url: HTTPURL, _ client: HTTPClient, token: String? = nil) async throws -> Int {
        let headers: HTTPHeaders = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try await client.send(HTTPRequest(.get, url, headers: headers)).status
    }

    @Test func `a coordinator serves the API, to all on this machine until there is a token`() async throws {
        try await served { url, client, program in
            let friends = url.appending(path: "v1", "friends")
            #expect(try await status(friends, client) == 200)
            let made = try await program.run(
                "tokens", "create", "map", "--account", "default", "--scope", "read",
                environment: ["DATABASE_URL": try Database.testURL])
            let token = String(made.output.prefix { $0 != "\n" })
            #expect(try await status(friends, client) == 401)
            #expect(try await status(friends, client, token: token) == 200)
        }
    }

    @Test func `without a token other machines are not let in`() async throws {
        let program = try Program()
        defer { program.remove() }
        let outcome = try await program.run(
            "coordinator", environment: ["DATABASE_URL": try Database.testURL, "WAYPOST_LISTEN": "0.0.0.0:0"])
        #expect(outcome.code == 2)
        #expect(outcome.error.contains("there is no API token"))
    }

    @Test(arguments: [
        ("WAYPOST_LISTEN", "here", "an address in digits and a port"),
        ("WAYPOST_TLS_KEY", "/nonexistent", "can't be read"),
    ]) func `a setting that can't be is named`(name: String, value: String, sentence: String) async throws {
        let program = try Program()
        defer { program.remove() }
        let outcome = try await program.run("coordinator", environment: [name: value])
        #expect(outcome.code == 2)
        #expect(outcome.error.contains(sentence))
    }
}

struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080"), ("localhost:1", "127.0.0.1:1"), ("[::1]:80", "[::1]:80"),
        ("0.0.0.0:0", "0.0.0.0:0"),
    ]) func `an address and a port are read`(text: String, meaning: String) {
        #expect(ListenAddress(text)?.description == meaning)
    }

    @Test(arguments: ["", "8080", "127.0.0.1", "here:80", "127.0.0.1:65536", "127.0.0.1:-1", "1.2.3:80"])
    func `what is no address is refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func `only addresses of this machine are loopback`() {
        #expect(["127.0.0.1:1", "127.9.9.9:1", "[::1]:1"].allSatisfy { ListenAddress($0)?.isLoopback == true })
        #expect(["0.0.0.0:1", "[::]:1", "10.0.0.1:1"].allSatisfy { ListenAddress($0)?.isLoopback == false })
    }
}
