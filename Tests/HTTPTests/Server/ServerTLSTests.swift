import Foundation
import HTTP
import HTTPTesting
import Processes
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ServerTLSTests {
    @Test func `a server with a certificate uses TLS, and one with a bad certificate does not start`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        let certificate = try String(contentsOfFile: made.certificate, encoding: .utf8)
        let key = try String(
            contentsOfFile: made.certificate.replacingOccurrences(of: "certificate.pem", with: "key.pem"),
            encoding: .utf8)
        let current = try ServerCertificate(certificate, key: key)
        try await withServer {
            $0.tls = current
        } routes: { router in
            router.add(.get, "/") { request in .text("hello over TLS: \(request.isOverTLS)") }
        } _: { server in
            try await withClient {
                $0.certificateAuthorities = made.certificate
            } _: { client async throws in
                let answer = try await client.get("https://localhost:\(server.port)/")
                #expect(answer.text == "hello over TLS: true")
            }
        }
        let error = #expect(throws: ServerError.self) { try ServerCertificate("no", key: key) }
        #expect(error?.description.contains("certificate and key") == true)
        try await made.stop()
    }

    @Test func `a body is received whole over TLS`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        let certificate = try read(made)
        try await withServer {
            $0.tls = certificate
        } routes: { router in
            router.add(.post, "/") { .text("\(try await $0.body.collect(upTo: 1 << 24).count)") }
        } _: { server in
            try await withClient {
                $0.certificateAuthorities = made.certificate
            } _: { client async throws in
                let url = try #require(HTTPURL("https://localhost:\(server.port)/"))
                for size in [1, 20_000, 100_000, 10 << 20] {
                    let answer = try await client.send(
                        HTTPRequest(.post, url, body: [UInt8](repeating: 120, count: size)))
                    #expect(answer.text == "\(size)")
                }
            }
        }
        try await made.stop()
    }

    @Test func `only TLS 1.2 and 1.3 with forward secrecy and authenticated encryption are accepted`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        try await serve(with: try read(made)) { _, port async throws in
            for arguments in [
                ["-tls1_3"], ["-tls1_2"], ["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"],
                ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"],
            ] {
                #expect(try await shakesHands(with: port, arguments), "\(arguments)")
            }
            // At security level 0 the client itself would accept them.
            for arguments in [
                ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1", "-cipher", "ALL:@SECLEVEL=0"],
                ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384:@SECLEVEL=0"],
                ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"],
                ["-tls1_2", "-cipher", "kRSA:kDHE:@SECLEVEL=0"], ["-tls1_2", "-sigalgs", "ECDSA+SHA1"],
            ] {
                #expect(try await !shakesHands(with: port, arguments), "\(arguments)")
            }
        }
        try await made.stop()
    }

    @Test func `a new certificate serves new connections, and an unusable one changes nothing`() async throws {
        let old = try await TLSServer.start(certifiedFor: "DNS:localhost")
        let new = try await TLSServer.start(certifiedFor: "DNS:localhost")
        let certificate = try read(old)
        try await serve(with: certificate) { path, port async throws in
            try await withClient {
                $0.certificateAuthorities = old.certificate
            } _: { client async throws in
                #expect(try await client.get("https://localhost:\(port)\(path)").text == "hello")
                let (chain, key) = try texts(of: new)
                #expect(throws: ServerError.self) { try certificate.replace(by: chain, key: texts(of: old).key) }
                #expect(throws: ServerError.self) { try certificate.replace(by: "", key: "") }
                #expect(try await shakesHands(with: port, ["-CAfile", old.certificate, "-verify_return_error"]))

                try certificate.replace(by: chain, key: key)
                // The client's old connection still works, and a new one would be refused.
                #expect(try await client.get("https://localhost:\(port)\(path)").text == "hello")
                #expect(try await shakesHands(with: port, ["-CAfile", new.certificate, "-verify_return_error"]))
                #expect(try await !shakesHands(with: port, ["-CAfile", old.certificate, "-verify_return_error"]))
            }
        }
        try await old.stop()
        try await new.stop()
    }

    @Test func `over TLS, requests are parsed as strictly, and renegotiation is refused`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        try await serve(with: try read(made)) { _, port async throws in
            let head = "POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
            let request = head + "1\\nx\\r\\n0\\r\\n\\r\\n"
            let answer = try await conversation(with: port, "printf '\(request)'", ["-quiet"])
            #expect(answer.contains("HTTP/1.1 400 ") && answer.contains("carriage return"), "\(answer)")
            let renewal = try await conversation(with: port, "echo R", ["-tls1_2"])
            #expect(renewal.contains("RENEGOTIATING") && renewal.contains("no renegotiation"), "\(renewal)")
        }
        try await made.stop()
    }

    @Test func `HTTP 1.1 is selected among protocols, and a client without it is refused`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        try await serve(with: try read(made)) { _, port async throws in
            #expect(try await shakesHands(with: port, []))
            let chosen = try await conversation(
                with: port, "printf 'GET / HTTP/1.0\\r\\n\\r\\n'", ["-alpn", "h2,http/1.1"])
            #expect(chosen.contains("ALPN protocol: http/1.1") && chosen.contains("hello"), "\(chosen)")
            #expect(try await !shakesHands(with: port, ["-alpn", "h2"]))
            #expect(try await !shakesHands(with: port, ["-alpn", "http/1.0,h2"]))
        }
        try await made.stop()
    }

    @Test func `a client that stalls in its handshake delays nobody, and is cut off`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        let certificate = try read(made)
        try await withServer {
            ($0.tls, $0.idleLimit) = (certificate, .seconds(1))
        } routes: { router in
            router.add(.get, "/") { _ in .text("hello") }
        } _: { server in
            let silent = try server.connect()
            let stalled = try server.connect()
            // The beginning of a ClientHello of 512 bytes.
            await stalled.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
            let plain = try await server.answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(!plain.contains("hello"))
            try await withClient {
                $0.certificateAuthorities = made.certificate
            } _: { client async throws in
                #expect(try await client.get("https://localhost:\(server.port)/").text == "hello")
            }
            for connection in [silent, stalled] {
                #expect(await connection.rest() == "")
                connection.close()
            }
        }
        try await made.stop()
    }

    @Test func `over TLS, a long reply arrives whole, and an aborted stream ends its handler`() async throws {
        let made = try await TLSServer.start(certifiedFor: "DNS:localhost")
        let certificate = try read(made)
        let body = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let (ends, end) = AsyncStream<String>.makeStream()
        try await withServer {
            $0.tls = certificate
        } routes: { router in
            router.add(.get, "/") { _ in ServerResponse(status: 200, body: .bytes(body)) }
            router.add(.get, "/endless") { _ in
                ServerResponse(
                    status: 200,
                    body: .stream { writer in
                        end.yield("begun")
                        do {
                            while true { try await writer.write(body) }
                        } catch {
                            end.yield("\(error)")
                            throw error
                        }
                    })
            }
        } _: { server in
            try await withClient {
                $0.certificateAuthorities = made.certificate
            } _: { client async throws in
                #expect(try await client.get("https://localhost:\(server.port)/").body == body)
                var seen = ends.makeAsyncIterator()
                let reading = Task { try await client.get("https://localhost:\(server.port)/endless") }
                #expect(await seen.next() == "begun")
                reading.cancel()
                #expect(await seen.next() == "brokenOff")
                _ = await reading.result
                #expect(try await client.get("https://localhost:\(server.port)/").body == body)
            }
        }
        try await made.stop()
    }

    /// The output of `openssl s_client`. A shell command writes its first input.
    private func conversation(with port: Int, _ input: String, _ arguments: [String]) async throws -> String {
        let client = (["openssl", "s_client", "-connect", "127.0.0.1:\(port)"] + arguments).joined(separator: " ")
        let script = "coproc C { exec \(client) 2>&1; }; exec 4<&${C[0]}; \(input) >&${C[1]}; cat <&4"
        let result = try await ChildProcess.output(of: "bash", ["-c", script])
        return String(decoding: result.output, as: UTF8.self)
    }

    private func serve(
        with certificate: ServerCertificate, _ body: (_ path: String, _ port: Int) async throws -> Void
    ) async throws {
        try await withServer {
            $0.tls = certificate
        } routes: { router in
            router.add(.get, "/") { _ in .text("hello") }
        } _: { server in
            try await body("/", server.port)
        }
    }

    private func texts(of made: TLSServer) throws -> (certificate: String, key: String) {
        let key = made.certificate.replacingOccurrences(of: "certificate.pem", with: "key.pem")
        return (
            try String(contentsOfFile: made.certificate, encoding: .utf8),
            try String(contentsOfFile: key, encoding: .utf8)
        )
    }

    private func read(_ made: TLSServer) throws -> ServerCertificate {
        let (certificate, key) = try texts(of: made)
        return try ServerCertificate(certificate, key: key)
    }

    /// True if `openssl s_client` with these arguments completes a handshake with the server.
    private func shakesHands(with port: Int, _ arguments: [String]) async throws -> Bool {
        let result = try await ChildProcess.output(
            of: "openssl", ["s_client", "-connect", "127.0.0.1:\(port)"] + arguments, directory: nil)
        return result.exit.isSuccess
    }
}
