import Glibc
import HTTP
import HTTPTesting
import Testing

/// Each test runs in its own process, because the environment belongs to the whole process.
struct ProxyTests {
    @Test func `a proxy in the environment gets the request`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .json("from the proxy") }
            setenv("http_proxy", proxy.url, 1)
            let response = try await withClient { try await $0.get("http://nobody.invalid/a") }
            #expect(response.text == "from the proxy")
            #expect(proxy.requests.first?.target == "http://nobody.invalid/a")
        }
    }

    @Test func `a host excepted from the proxy is called directly`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .json("from the proxy") }
            let server = try ScriptedServer { _ in .json("from the server") }
            setenv("http_proxy", proxy.url, 1)
            setenv("NO_PROXY", "127.0.0.1", 1)
            #expect(try await withClient { try await $0.get(server.url) }.text == "from the server")
            #expect(proxy.requests.isEmpty)
        }
    }

    @Test func `a proxy for https sees no header of the request`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .status(403) }
            setenv("HTTPS_PROXY", proxy.url, 1)
            _ = try await withClient {
                try await $0.failure(of: "https://nobody.invalid/a", headers: ["X-Key": "secret"])
            }
            #expect(proxy.requests.first?.method == "CONNECT")
            #expect(proxy.requests.first?.headers["x-key"] == nil)
        }
    }
}
