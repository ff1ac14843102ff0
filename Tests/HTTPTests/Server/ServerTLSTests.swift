import Foundation
import HTTP
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ServerTLSTests {
    @Test func `a server with a certificate speaks TLS, and one with a bad certificate does not start`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        let certificate = try String(contentsOfFile: made.certificate, encoding: .utf8)
        let key = try String(
            contentsOfFile: made.certificate.replacingOccurrences(of: "certificate.pem", with: "key.pem"),
            encoding: .utf8)
        try await withServer {
            $0.tls = HTTPServer.TLS(certificate: certificate, key: key)
        } routes: { router in
            router.add(.get, "/") { request in .text("hello over TLS: \(request.isOverTLS)") }
        } _: { server in
            try await withClient {
                $0.certificateAuthorities = made.certificate
            } _: { client in
                let answer = try await client.get("https://localhost:\(server.port)/")
                #expect(answer.text == "hello over TLS: true")
            }
        }
        let error = try await #require(throws: ServerError.self) {
            try await withServer {
                $0.tls = HTTPServer.TLS(certificate: "no", key: key)
            } routes: { _ in
            } _: { _ in
            }
        }
        #expect(error.description.contains("certificate and key"))
        try await made.stop()
    }
}
