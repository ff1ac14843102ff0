import HTTPTesting
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(10)))
struct DepartureTests {
    private func get(_ client: HTTPClient, _ url: String, _ departure: Departure) async throws -> HTTPResponse {
        try await client.send(HTTPRequest(.get, #require(HTTPURL(url))), departure: departure)
    }

    private func failure(_ client: HTTPClient, _ url: String, _ departure: Departure) async throws -> HTTPError {
        try await #require(throws: HTTPError.self) { try await get(client, url, departure) }
    }

    @Test func `a request leaves within its slot, and its time of sending is known`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        try await withClient { client in
            for wait in [0, 30, 3] {
                let opens = ContinuousClock.now + .milliseconds(wait)
                let departure = Departure(opens: opens, closes: opens + .seconds(5))
                #expect(try await get(client, server.url, departure).status == 200)
                let left = try #require(departure.leftAt)
                #expect(left >= opens && left <= .now)
            }
        }
        // The connection is kept.
        #expect(server.connections == 1)
    }

    @Test(arguments: [
        // Suspended after the write, and before it. The kernel's times are a tick apart.
        (40.0, 40.0, 0.0, 0.0), (40, 37, 0, 0), (40, 0, 0, 40), (40, 3, 4, 40), (0.1, 0, 0, 0.1),
        // Suspended before the write and after it.
        (160, 80, 0, 80), (160, 100, 4, 60), (160, 30, 4, 130),
        // Nothing was sent before the look.
        (40, 43, 0, 0),
        // The kernel's clock stood still.
        (21, 0, 21, 0), (29, 8, 12, 21), (29, 17, 12, 0), (160, 60, 30, 100),
    ])
    func `the time of sending is right wherever the process was suspended`(
        now: Double, sending: Double, lag: Double, left: Double
    ) {
        let look = ContinuousClock.now
        let departure = Departure(opens: look)
        #expect(departure.mayLeave(at: look))
        departure.left(at: look + .milliseconds(now), since: .milliseconds(sending), lag: .milliseconds(lag))
        #expect(departure.leftAt == look + .milliseconds(left))
    }

    /// Otherwise the kernel's time of sending would be unknown for a connection that another client has opened.
    @Test func `clients of one loop know the sockets of their common connections`() {
        let loop = TransferLoop.join(.init(userAgent: "test"))
        let clients = (1...2).map { _ in ClientCalls(.init(userAgent: "test"), on: loop) }
        #expect(clients[0].wire === clients[1].wire)
        loop.leave(clients[0])
    }

    @Test func `a request that would be late is not sent`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        try await withClient { client in
            let departure = Departure(closes: .now - .nanoseconds(1))
            let error = try await failure(client, server.url, departure)
            #expect(error.kind == .missed)
            #expect(departure.isVoid && departure.leftAt == nil)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `a connection opened too late sends nothing`() async throws {
        let answers = ["a": "HTTP/1.0 200 OK\r\n\r\n1"]
        let server = try await TLSServer.start(certifiedFor: "DNS:localhost", answers: answers)
        try await withClient {
            $0.certificateAuthorities = server.certificate
        } _: { client in
            // The first handshake takes longer than this, because the certificates are read first.
            let departure = Departure(closes: .now + .microseconds(500))
            #expect(try await failure(client, "https://localhost:\(server.port)/a", departure).kind == .missed)
            #expect(departure.isVoid)
            // The connect time is now known, so the next connection is opened that much earlier.
            let opens = ContinuousClock.now + .milliseconds(500)
            let next = Departure(opens: opens, closes: opens + .seconds(5))
            #expect(try await get(client, "https://localhost:\(server.port)/a", next).text == "1")
            let left = try #require(next.leftAt)
            #expect(left >= opens)
        }
        try await server.stop()
    }

    @Test func `a request is not sent again after the server closed the connection`() async throws {
        let server = try ScriptedServer { $0.path == "/first" ? .json("1") : .close }
        defer { server.stop() }
        try await withClient { client in
            _ = try await get(client, server.url + "/first", Departure())
            let departure = Departure()
            let error = try await failure(client, server.url + "/second", departure)
            #expect(error.kind == .broken)
            #expect(departure.leftAt != nil && !departure.isVoid)
        }
        #expect(server.requests.map(\.path) == ["/first", "/second"])
    }

    @Test(arguments: [
        ("http://localhost:1/a?key=secret", 302, HTTPError.Kind.moved), ("/b?key=secret", 301, .moved),
        ("/b?key=secret", 302, .redirected), ("ftp://secret/", 302, .redirected),
    ])
    func `a redirect is not followed, and the error has its target`(
        location: String, status: Int, kind: HTTPError.Kind
    ) async throws {
        let server = try ScriptedServer { _ in .redirect(to: location, status: status) }
        defer { server.stop() }
        let error = try await withClient { try await failure($0, server.url + "/a", Departure()) }
        #expect(error.kind == kind)
        #expect(!error.reason.contains("secret"))
        if location.hasPrefix("http:") { #expect(error.reason.contains("http://localhost:1")) }
        #expect(server.requests.count == 1)
    }

    @Test func `a call does not wait for another one to end`() async throws {
        let server = try ScriptedServer { $0.path == "/last" ? .json("1") : .hang }
        defer { server.stop() }
        try await withClient {
            $0.callsPerHost = 1
        } _: { client in
            let hanging = (1...40).map { _ in Task { try await get(client, server.url, Departure()) } }
            var arrivals = server.arrivals.makeAsyncIterator()
            for _ in 1...40 { _ = await arrivals.next() }
            let last = try await get(client, server.url + "/last", Departure(closes: .now + .seconds(5)))
            #expect(last.status == 200)
            for task in hanging { task.cancel() }
            for task in hanging { await #expect(throws: HTTPError.self) { try await task.value } }
        }
    }

    @Test func `a recalled call is not sent`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        try await withClient { client in
            let departure = Departure(opens: .now + .milliseconds(20), closes: .now + .seconds(20))
            departure.recall()
            _ = try await failure(client, server.url, departure)
            #expect(departure.isRecalled && departure.leftAt == nil)
            let gone = Departure()
            _ = try await get(client, server.url, gone)
            gone.recall()
            #expect(!gone.isRecalled)
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a process suspended around the write dates the sending rightly`() {
        let opens = ContinuousClock.now
        let early = Departure(opens: opens)
        let late = Departure(opens: opens)
        for departure in [early, late] { #expect(departure.mayLeave(at: opens)) }
        early.left(at: opens + .milliseconds(50), since: .milliseconds(48))
        late.left(at: opens + .milliseconds(50), since: .milliseconds(4))
        #expect(early.leftAt == opens)
        #expect(late.leftAt == opens + .milliseconds(50))
    }

    @Test func `warming up sends nothing and measures the connect time`() async throws {
        let server = try ScriptedServer { _ in .json("1") }
        defer { server.stop() }
        try await withClient { client in
            await client.warmUp(for: try #require(HTTPURL(server.url)))
            #expect(client.readyIn > .zero)
            _ = try await get(client, server.url, Departure())
            #expect(client.readyIn == .zero)
        }
        #expect(server.requests.count == 1)
    }
}

struct ConnectionForecastTests {
    private let start = ContinuousClock.now

    @Test func `a kept connection counts as open until it is too old`() {
        var forecast = ConnectionForecast()
        #expect(!forecast.isWarm(at: start))
        forecast.begin(isWarm: false, at: start)
        forecast.connected(after: .milliseconds(80), isNew: true, wasWarm: false, at: start)
        forecast.end(keeping: true, at: start)
        #expect(forecast.isWarm(at: start + .seconds(3)))
        #expect(!forecast.isWarm(after: 1, at: start + .seconds(3)))
        #expect(!forecast.isWarm(at: start + .seconds(5)))
        // The server had closed it after two seconds.
        forecast.begin(isWarm: true, at: start + .seconds(2))
        forecast.connected(after: .milliseconds(80), isNew: true, wasWarm: true, at: start + .seconds(2.08))
        forecast.end(keeping: true, at: start + .seconds(3))
        #expect(forecast.isWarm(at: start + .seconds(4.5)))
        #expect(!forecast.isWarm(at: start + .seconds(4.7)))
    }

    @Test func `one slow connection does not raise the expected time, and two do`() {
        var forecast = ConnectionForecast()
        forecast.learn(.milliseconds(20))
        #expect(forecast.connectTime == .milliseconds(20))
        for _ in 1...3 { forecast.connected(after: .milliseconds(30), isNew: true, wasWarm: false, at: start) }
        forecast.connected(after: .milliseconds(400), isNew: true, wasWarm: false, at: start)
        #expect(forecast.connectTime == .milliseconds(30))
        forecast.connected(after: .milliseconds(300), isNew: true, wasWarm: false, at: start)
        #expect(forecast.connectTime == .milliseconds(300))
        for _ in 1...8 { forecast.connected(after: .milliseconds(30), isNew: true, wasWarm: false, at: start) }
        #expect(forecast.connectTime == .milliseconds(30))
    }
}
