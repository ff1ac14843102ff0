import DatabaseTesting
import Foundation
import Postgres
import Testing

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
