import HTTP
import HTTPTesting
import Testing

struct TLSTests {
    @Test func `a certificate is accepted only if it is trusted and issued for the host`() async throws {
        let server = try await TLSServer.start(
            certifiedFor: "DNS:localhost", answers: ["hello": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"])

        let unknown = try await withClient { try await $0.failure(of: "https://localhost:\(server.port)/hello") }
        #expect(unknown.kind == .untrusted)
        try await withClient {
            $0.certificateAuthorities = server.certificate
        } _: { client in
            let misnamed = try await client.failure(of: "https://127.0.0.1:\(server.port)/hello")
            #expect(misnamed.kind == .untrusted)
            #expect(try await client.get("https://localhost:\(server.port)/hello").text == "hi")
        }
        try await server.stop()
    }
}
