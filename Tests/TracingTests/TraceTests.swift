import DatabaseTesting
import HTTPTesting
import JSON
import Postgres
import Processes
import Testing

@testable import HTTP

/// One address from the API's client to the provider and back, as the collector receives it.
@Suite(.database)
struct TraceTests {
    private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private let sampled: HTTPHeaders = [
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "app=x:1,other=y",
    ]

    private func one(_ name: String, _ spans: [ReceivedSpan]) throws -> ReceivedSpan {
        let found = spans.filter { $0.name == name }
        #expect(found.count == 1, "\(name)")
        return try #require(found.first)
    }

    @Test(arguments: [true, false])
    func `an address's way is one trace, passed on only to our own provider`(isOurs: Bool) async throws {
        let scene = try await TraceScene { _ in TraceScene.house }
        let spans = try await scene.spans(importing: sampled, isOurs: isOurs) { $0.count >= 7 }
        #expect(spans.count == 7)
        #expect(spans.allSatisfy { $0.trace == trace && $0.state == "app=x:1,other=y" && !$0.hasFailed })
        let request = try one("POST /v1/geocode", spans)
        let (wait, job) = (try one("wait nominatim", spans), try one("job nominatim", spans))
        let (claim, call) = (try one("claim nominatim", spans), try one("call nominatim", spans))
        let (sent, record) = (try one("GET", spans), try one("record nominatim", spans))
        #expect(request.parent == "00f067aa0ba902b7")
        #expect(wait.parent == request.id && job.parent == request.id)
        #expect([claim, call, record].allSatisfy { $0.parent == job.id })
        #expect(sent.parent == call.id)
        #expect([request, sent, claim, record].map(\.kind) == [2, 3, 3, 3])
        #expect(job.kind == 5 && wait.kind == 1 && call.kind == 1)
        // The flag says whether the parent is in another process.
        #expect([request, wait, job].allSatisfy { $0.flags == 0x301 })
        #expect([claim, call, sent, record].allSatisfy { $0.flags == 0x101 })
        #expect(request.start <= wait.start && wait.start <= wait.end && wait.end <= sent.end)
        #expect(job.start <= claim.start && claim.end <= call.end && call.start <= sent.start)
        #expect(sent.end <= call.end && call.end <= record.start && record.end <= job.end)

        #expect(request.text("http.request.method") == "POST" && request.text("http.route") == "/v1/geocode")
        #expect(request.attributes["http.response.status_code"]?.number == 202)
        #expect(sent.attributes["http.response.status_code"]?.number == 200)
        #expect(sent.text("server.address") == "127.0.0.1")
        #expect(sent.attributes["server.port"]?.number == Double(scene.provider.port))
        #expect(job.text("waypost.job.outcome") == "done")
        #expect(job.text("messaging.destination.name") == "nominatim")
        // No span contains the address, its position or its owner.
        let all = "\(spans)"
        for word in ["Elm", "Reno", "39.5", "119.8", "search"] { #expect(!all.contains(word), "\(word)") }

        let seen = scene.provider.requests.compactMap { $0.headers["traceparent"] }
        #expect(seen == (isOurs ? ["00-\(trace)-\(sent.id)-01"] : []))
        #expect(scene.provider.requests.compactMap { $0.headers["tracestate"] } == (isOurs ? ["app=x:1,other=y"] : []))
    }

    @Test func `a failed call and its retry are in the same trace`() async throws {
        let count = Locked(0)
        let scene = try await TraceScene { request in
            let isFirst = count.withLock { count in
                if request.query["street"] == "7 Elm St" { count += 1 }
                return count == 1
            }
            return isFirst ? .status(503) : TraceScene.house
        }
        let spans = try await scene.spans(importing: sampled) {
            $0.count { $0.name == "job nominatim" } >= 2 && $0.count >= 13
        }
        #expect(spans.allSatisfy { $0.trace == trace })
        let jobs = spans.filter { $0.name == "job nominatim" }
        let failed = try #require(jobs.first { $0.hasFailed })
        #expect(jobs.count == 2)
        #expect(failed.text("waypost.job.outcome") == "retry" && failed.text("error.type") == "retry")
        #expect(spans.filter { $0.name == "GET" }.contains { $0.hasFailed && $0.text("error.type") == "503" })
        #expect(Set(jobs.map(\.parent)).count == 1)
    }

    @Test func `without a client's trace a new one begins`() async throws {
        let scene = try await TraceScene { _ in TraceScene.house }
        let spans = try await scene.spans(importing: ["traceparent": "00-00-00-01"]) { $0.count >= 7 }
        #expect(Set(spans.map(\.trace)).count == 1)
        #expect(try one("POST /v1/geocode", spans).parent == "")
    }
}
