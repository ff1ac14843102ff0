import Glibc
import HTTPTesting
import Testing

@testable import HTTP

struct PrivateAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1",
        "198.18.0.1", "198.19.255.255", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:a00:1::1",
        "2002:7f00:1::", "2001::1", "2001:db8::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1",
        "ff02::1",
        "100::1",
    ])
    func `a private or reserved address is not public`(address: String) throws {
        #expect(try isPrivate(address))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001::200a",
        "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
    func `a public address is public`(address: String) throws {
        #expect(try !isPrivate(address))
    }

    private func isPrivate(_ text: String) throws -> Bool {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return PrivateAddress.contains(v4: UInt32(bigEndian: v4.s_addr)) }
        var v6 = in6_addr()
        try #require(inet_pton(AF_INET6, text, &v6) == 1)
        return PrivateAddress.contains(v6: withUnsafeBytes(of: v6) { Array($0) })
    }

    /// Each of these means 127.0.0.1 in another way. A host name shows it only when resolved.
    @Test(arguments: [
        "127.0.0.1", "localhost", "0.0.0.0", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
    ])
    func `no connection is opened to a private address, whatever its host name`(host: String) async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        let url = "http://\(host):\(server.port)/"
        #expect(try await withClient { try await $0.get(url) }.status == 200)
        let before = server.connections
        let error = try await withClient {
            $0.permitsPrivateAddresses = false
        } _: {
            try await $0.failure(of: url)
        }
        #expect(error.kind == .forbidden)
        #expect(server.connections == before)
    }

    @Test func `a call with a slot is refused a private address too`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url))
        let error = await #expect(throws: HTTPError.self) {
            try await withClient {
                $0.permitsPrivateAddresses = false
            } _: { client in
                await client.warmUp(for: url)
                return try await client.send(HTTPRequest(.get, url), departure: Departure())
            }
        }
        #expect(error?.kind == .forbidden)
        #expect(server.connections == 0)
    }

    /// The target of a proxy can't be observed here. This public address discards everything (RFC 7534).
    @Test func `a client that refuses private addresses uses no proxy`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .json("from the proxy") }
            for name in ["http_proxy", "all_proxy"] { setenv(name, proxy.url, 1) }
            let url = "http://[2620:4f:8000::1]:9/"
            #expect(try await withClient { try await $0.get(url) }.status == 200)
            #expect(proxy.connections == 1)
            let error = try await withClient {
                $0.permitsPrivateAddresses = false
                $0.connectLimit = .milliseconds(200)
            } _: {
                try await $0.failure(of: url)
            }
            // The address itself was tried. A proxy on this machine would have been forbidden.
            #expect([.unreachable, .late].contains(error.kind))
            #expect(proxy.connections == 1)
        }
    }
}
