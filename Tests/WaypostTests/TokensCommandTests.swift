import DatabaseTesting
import Foundation
import Postgres
import Testing

@Suite(.database)
struct TokensCommandTests: CommandSuite {
    let program = Program()

    @Test func `a token is made for a new account, shown once, listed without its secret, and revoked`() async throws {
        try await waypost("tokens list").expect(has: "There is no token")
        let made = try await waypost("tokens create phone --account ada --scope read --scope write --expires 90d")
            .expect(0)
        #expect(made.output.wholeMatch(of: /wp_1_[A-Za-z0-9_-]{43}\n/) != nil)
        #expect(made.error.contains("shown only once"))

        let list = try await waypost("tokens list").output
        for text in ["phone", "ada", "read, write", "good for ", "-"] { #expect(list.contains(text), "\(list)") }
        let secret = try #require(made.output.split(separator: "_", maxSplits: 2).last?.dropLast())
        #expect(!list.contains(secret))
        try await waypost("tokens list --account bob").expect(has: "There is no token")

        #expect(try await waypost("tokens revoke 1").output.hasPrefix("Token 1 is revoked."))
        try await waypost("tokens revoke 1").expect(prints: "Token 1 was revoked already.\n")
        try await waypost("tokens list").expect(has: "revoked")
        try await waypost("tokens revoke 9").expect(1, error: "there is no token 9")
    }

    @Test func `JSON has the secret only when the token is made`() async throws {
        let made = try await waypost("tokens create phone --account ada --scope admin --json")
        let token = try #require(try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any])
        #expect((token["token"] as? String)?.hasPrefix("wp_1_") == true)
        #expect(token["scopes"] as? [String] == ["admin"])
        let listed = try await waypost("tokens list --json")
        let list = try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
        #expect(list.map { $0["account"] as? String } == ["ada"])
        #expect(list[0]["token"] == nil)
        #expect(list[0]["state"] as? String == "good")
    }
}
