import DatabaseTesting
import Foundation
import Postgres
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TokensUsageTests {
    @Test(arguments: [
        (["tokens"], "create"),
        (["tokens", "create", "phone", "--account", "ada"], "--scope SCOPE is missing"),
        (["tokens", "create", "phone", "--scope", "read"], "--account"),
        (["tokens", "create", "phone", "--account", "ada", "--scope", "all"], "read, write, track, locate or admin"),
        (["tokens", "create", "phone", "--account", "ada", "--scope", "read", "--expires", "soon"], "90s"),
        (["tokens", "create", "phone", "--account", "ada", "--scope", "read", "--expires", "0s"], "--expires"),
        (["tokens", "create", "", "--account", "ada", "--scope", "read"], "NAME is empty"),
        (["tokens", "create", "phone", "--account", "", "--scope", "read"], "--account is empty"),
        (["tokens", "revoke"], "ID"),
        (["tokens", "revoke", "0"], "from 1"),
        (["tokens", "revoke", "99999999999"], "from 1"),
    ]) func `wrong usage is reported, and exits with 2`(_ words: [String], _ hint: String) async throws {
        let program = try Program()
        defer { program.remove() }
        let outcome = try await program.run(words)
        #expect(outcome.code == 2)
        #expect((outcome.error + outcome.output).contains(hint), "\(outcome.error)")
    }
}

@Suite(.database)
struct TokensCommandTests {
    private let program: Program

    init() throws {
        program = try Program()
    }

    private func waypost(_ words: String...) async throws -> Program.Outcome {
        try await program.run(words, environment: ["DATABASE_URL": Database.testURL])
    }

    @Test func `a token is made for a new account, shown once, listed without its secret, and revoked`() async throws {
        defer { program.remove() }
        #expect(try await waypost("tokens", "list").output.contains("There is no token"))
        let made = try await waypost(
            "tokens", "create", "phone", "--account", "ada", "--scope", "read", "--scope", "write", "--expires", "90d")
        #expect(made.code == 0, "\(made.error)")
        #expect(made.output.wholeMatch(of: /wp_1_[A-Za-z0-9_-]{43}\n/) != nil)
        #expect(made.error.contains("shown only once"))

        let list = try await waypost("tokens", "list").output
        for text in ["phone", "ada", "read, write", "good for ", "-"] { #expect(list.contains(text), "\(list)") }
        let secret = try #require(made.output.split(separator: "_", maxSplits: 2).last?.dropLast())
        #expect(!list.contains(secret))
        #expect(try await waypost("tokens", "list", "--account", "bob").output.contains("There is no token"))

        #expect(try await waypost("tokens", "revoke", "1").output.hasPrefix("Token 1 is revoked."))
        #expect(try await waypost("tokens", "revoke", "1").output == "Token 1 was revoked already.\n")
        #expect(try await waypost("tokens", "list").output.contains("revoked"))
        let unknown = try await waypost("tokens", "revoke", "9")
        #expect(unknown.code == 1)
        #expect(unknown.error.contains("there is no token 9"))
    }

    @Test func `JSON has the secret only when the token is made`() async throws {
        defer { program.remove() }
        let made = try await waypost("tokens", "create", "phone", "--account", "ada", "--scope", "admin", "--json")
        let token = try #require(try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any])
        #expect((token["token"] as? String)?.hasPrefix("wp_1_") == true)
        #expect(token["scopes"] as? [String] == ["admin"])
        let listed = try await waypost("tokens", "list", "--json")
        let list = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
        #expect(list.map { $0["account"] as? String } == ["ada"])
        #expect(list[0]["token"] == nil)
        #expect(list[0]["state"] as? String == "good")
    }
}
