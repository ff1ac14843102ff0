import DatabaseTesting
import Foundation
import HTTP
import JSON
import Postgres
import Processes
import Testing

@testable import API

/// The queues of phone apps, as in the apps' sources, against our routes.
@Suite(.database)
struct PhoneQueueTests {
    private static let start = 1_700_000_000.0
    private let clock = Locked(Self.start)

    private func tracking(log: Log = Log(format: .logfmt) { _ in }) async throws -> APIClient {
        let client = try await APIClient.test(log: log) { [clock] in $0.now = { clock.withLock { $0 } } }
        _ = try await client.send(.post, "/v1/trackers/ada/start", #"{"since":"2023-11-01T00:00:00Z"}"#)
        return client
    }

    @Test(arguments: PhoneApp.allCases)
    func `a phone with a clock ahead, bad fixes and an outage sends all its good fixes`(
        _ app: PhoneApp
    ) async throws {
        let client = try await tracking()
        var queue: [PhoneFix] = []
        var good: [Double] = []
        // A fix every 20 seconds for two hours, with a clock ten minutes ahead. The network fails in the second and
        // third half hour.
        for step in 0..<360 {
            let now = Self.start + Double(step) * 20
            clock.withLock { $0 = now }
            let time = now + 600
            switch step {
            case 7: queue.append(PhoneFix(time: time, lat: 0, lng: 0))
            case 50: queue.append(PhoneFix(time: time, lat: 91, lng: 24))
            case 111: queue.append(PhoneFix(time: time, lat: nil, lng: nil))
            case 200: queue.append(PhoneFix(time: 100, lat: 60, lng: 24))
            case 250: queue.append(PhoneFix(time: now + 400 * 86_400, lat: 60, lng: 24))
            default:
                good.append(time)
                queue.append(PhoneFix(time: time, lat: 60, lng: 24))
            }
            if !(90..<270).contains(step) { try await app.send(&queue, to: client) }
        }
        #expect(!queue.isEmpty)
        // Ten minutes after the last fix, its time is no longer in the future.
        clock.withLock { $0 += 600 }
        try await app.send(&queue, to: client)
        #expect(queue.isEmpty)

        let stored = try await Database.test.run { db in
            try db.query("SELECT extract(epoch FROM at) AS at FROM fixes ORDER BY at").map {
                try $0.read("at", as: Double.self)
            }
        }
        #expect(stored == good)
        let refused = try await client.get("/v1/trackers/ada").refusedFixes
        for (reason, count) in ["null_island": 1, "not_on_earth": 1, "unreadable": 1, "too_old": 1] {
            // Overland repeats a refused batch with all of its fixes.
            #expect(app == .overland ? refused[reason, default: 0] >= count : refused[reason] == count, "\(reason)")
        }
        #expect(refused["in_the_future", default: 0] > 1)
    }

    @Test(arguments: PhoneApp.allCases)
    func `a phone without a tracker keeps its fixes, and the refusals are counted`(_ app: PhoneApp) async throws {
        let client = try await tracking()
        var queue = [PhoneFix(time: Self.start, lat: 60, lng: 24)]
        try await app.send(&queue, as: "nobody", to: client)
        #expect(queue.count == 1)
        #expect(try await counted() == ["no_tracker null 1"])
    }

    @Test func `the first refusal of a kind is logged without a name, and metrics count all`() async throws {
        let lines = Locked<[String]>([])
        var client = try await tracking(log: Log(format: .logfmt) { line in lines.withLock { $0.append(line) } })
        let metrics = Metrics()
        client.server = APIServer(client.server.backend.with { $0.instruments = APIInstruments(metrics) })
        for second in 0..<5 {
            _ = try await client.get("/v1/osmand?id=ada&lat=0&lon=0&timestamp=\(Int(Self.start) + second)")
        }
        #expect(try await client.get("/v1/trackers/ada").refusedFixes == ["null_island": 5])
        #expect(metrics.text.contains(#"waypost_fixes_refused_total{reason="null_island"} 5"#))
        let told = lines.withLock { $0 }.filter { $0.contains("null_island") }
        #expect(told.count == 1)
        #expect(!told.joined().contains("ada"))
    }

    @Test func `a refused fix that a phone sends again and again is counted once`() async throws {
        var client = try await tracking()
        let metrics = Metrics()
        client.server = APIServer(client.server.backend.with { $0.instruments = APIInstruments(metrics) })
        let soon = Int(Self.start) + 3_600
        let batch = (0..<3).map { #"{"lat":60,"lng":24,"timestamp":\#(soon + $0)}"# }.joined(separator: ",")
        for _ in 0..<4 {
            _ = try await client.get("/v1/osmand?id=ada&lat=0&lon=0&timestamp=\(Int(Self.start))")
            _ = try await client.send(.post, "/v1/trackers/ada/locations", "[\(batch)]")
            _ = try await client.send(.post, "/v1/owntracks?u=ada", #"{"_type":"encrypted","data":"x"}"#)
            _ = try await client.get("/v1/osmand?id=nobody&lat=60&lon=24&timestamp=\(Int(Self.start))")
        }
        _ = try await client.send(
            .post, "/v1/trackers/ada/locations", "[\(batch),{\"lat\":61,\"lng\":24,\"timestamp\":\(soon)}]")
        let refused = try await client.get("/v1/trackers/ada").refusedFixes
        #expect(refused == ["null_island": 1, "in_the_future": 4, "encrypted": 1])
        #expect(metrics.text.contains(#"waypost_fixes_refused_total{reason="in_the_future"} 4"#))
        #expect(metrics.text.contains(#"waypost_fixes_refused_total{reason="no_tracker"} 1"#))
    }

    @Test func `an encrypted message of OwnTracks is refused with the remedy, and counted`() async throws {
        let client = try await tracking()
        let answer = try await client.send(.post, "/v1/owntracks?u=ada", #"{"_type":"encrypted","data":"4nVf"}"#)
            .expect(422)
        #expect(answer.text.contains("Delete the encryption key"))
        #expect(try await client.get("/v1/trackers/ada").refusedFixes == ["encrypted": 1])
    }

    @Test func `Overland: an unknown device doesn't keep the other fixes of its batch in the phone`() async throws {
        let client = try await tracking()
        let batch = overlandBatch([
            overlandFix(60.1, Self.start, device: "old-phone"), overlandFix(60.2, Self.start + 60, device: "ada"),
            overlandFix(60.3, Self.start + 120, device: nil),
        ])
        #expect(try await client.send(.post, "/v1/overland", batch).text == #"{"result":"ok"}"#)
        #expect(try await latitudes(client) == [60.2])
        #expect(try await counted() == ["no_tracker null 2"])
    }

    @Test func `Colota: the device's name next to the locations is the user`() async throws {
        let client = try await tracking()
        let batch = #"{"locations":[\#(overlandFix(60.1, Self.start, device: nil))],"device_id":"ada"}"#
        #expect(try await client.send(.post, "/v1/overland", batch).text == #"{"result":"ok"}"#)
        #expect(try await latitudes(client) == [60.1])
    }

    @Test func `Overland: a visit begins at its arrival; log entries and trips are left out`() async throws {
        let client = try await tracking()
        clock.withLock { $0 = Self.start + 4_000 }
        func entry(_ lat: Double, _ properties: String) -> String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[24,\#(lat)]},"properties":{\#(properties)}}"#
        }
        let written = #""timestamp":"2023-11-14T23:13:20Z""#
        let batch = overlandBatch([
            entry(60.2, #""timestamp":"2023-11-14T23:10:00Z""#),
            // The visit began 20 minutes after the start and lasted 30 minutes. The phone writes this entry later, at
            // another position.
            entry(
                60.1,
                #"\#(written),"action":"visit","arrival_date":"2023-11-14T22:33:20Z","departure_date":"2023-11-14T23:03:20Z""#
            ),
            entry(60.3, #"\#(written),"action":"visit","arrival_date":null,"departure_date":null"#),
            entry(60.4, #"\#(written),"action":"paused_location_updates""#),
            entry(60.5, #"\#(written),"type":"trip","start":"2023-11-14T22:00:00Z""#),
            #"{"type":"Feature","properties":{\#(written),"action":"did_finish_deferred_updates"}}"#,
        ])
        #expect(try await client.send(.post, "/v1/overland?user=ada", batch).text == #"{"result":"ok"}"#)
        let found = try await client.get("/v1/trackers/ada/locations").at("data")?.list ?? []
        #expect(try found.map { try $0.at(["lat"]) } == [.number(60.1), .number(60.2)])
        #expect(try found.first?.at(["wait_time"]) == .number(1_800))
        #expect(try await client.get("/v1/trackers/ada/current").at("lat") == .number(60.2))
        #expect(try await client.get("/v1/trackers/ada").refusedFixes == [:])
    }

    @Test func `each refusal of a fix says whether the program may send it again`() async throws {
        let client = try await tracking()
        let list = """
            [{"lat":60,"lng":24,"timestamp":1700000000},{"lat":60,"lng":24,"timestamp":1700000600},{"lat":99,"lng":24,"timestamp":1}]
            """
        let answer = try await client.send(.post, "/v1/trackers/ada/locations", list).expect(has: ["taken": 1])
        #expect(
            try answer.at("refusals")?.list?.map { try [$0.at(["code"]), $0.at(["may_retry"])] }
                == [[.text("in_the_future"), .bool(true)], [.text("not_on_earth"), .bool(false)]])
        let ahead = #"{"lat":60,"lng":24,"timestamp":1700000600}"#
        let single = try await client.send(.post, "/v1/trackers/ada/locations", ahead).expect(422)
        #expect(single.headers["Retry-After"] == "300")
    }

    private func latitudes(_ client: APIClient) async throws -> [Double] {
        try await client.get("/v1/trackers/ada/locations").at("data")?.list?.compactMap {
            try $0.at(["lat"])?.number
        } ?? []
    }

    /// All counters, with null where the refusal belongs to no tracker.
    private func counted() async throws -> [String] {
        try await Database.test.query(
            "SELECT concat_ws(' ', reason, coalesce(tracker::text, 'null'), count) AS line FROM refused_fixes ORDER BY 1"
        ).map { try $0.read("line") }
    }
}

/// A position in a phone's queue. It has no coordinate if the phone measured none.
struct PhoneFix {
    let time: Double
    let lat: Double?
    let lng: Double?
}

/// How each app sends its queue, and which fixes it deletes.
enum PhoneApp: CaseIterable {
    /// https://github.com/traccar/traccar-client-android: repeats the first fix until the reply is 2xx.
    case traccar
    /// https://github.com/owntracks/android in its HTTP mode: the same.
    case ownTracks
    /// https://github.com/aaronpk/Overland-iOS: repeats the first 50 until the reply is `{"result":"ok"}`.
    case overland

    /// Sends until a fix is not confirmed or the queue is empty.
    func send(_ queue: inout [PhoneFix], as user: String = "ada", to client: APIClient) async throws {
        while let head = queue.first {
            let answer: APIClient.Answer
            var sent = 1
            switch self {
            case .traccar:
                let place = head.lat.map { "&lat=\($0)&lon=\(head.lng ?? 0)" } ?? ""
                answer = try await client.send(.post, "/v1/osmand?id=\(user)&timestamp=\(Int(head.time))\(place)")
            case .ownTracks:
                let place = head.lat.map { #","lat":\#($0),"lon":\#(head.lng ?? 0)"# } ?? ""
                let message = #"{"_type":"location","tst":\#(Int(head.time))\#(place)}"#
                answer = try await client.send(.post, "/v1/owntracks", message, headers: ["X-Limit-U": user])
            case .overland:
                let batch = queue.prefix(50)
                sent = batch.count
                answer = try await client.send(
                    .post, "/v1/overland",
                    overlandBatch(batch.map { overlandFix($0.lat, $0.time, lng: $0.lng, device: user) }))
                guard try answer.at("result") == .text("ok") else { return }
            }
            guard (200..<300).contains(answer.status) else { return }
            queue.removeFirst(sent)
        }
    }
}

private func overlandBatch(_ features: [String]) -> String { #"{"locations":[\#(features.joined(separator: ","))]}"# }

private func overlandFix(_ lat: Double?, _ time: Double, lng: Double? = 24, device: String?) -> String {
    let place = lat.map { "\(lng ?? 0),\($0)" } ?? ""
    let device = device.map { #","device_id":"\#($0)""# } ?? ""
    return """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(place)]},"properties":{"timestamp":\(Int(time))\(device)}}
        """
}

extension APIClient.Answer {
    /// The number of fixes that this tracker did not store, by reason.
    fileprivate var refusedFixes: [String: Int] {
        get throws {
            try Dictionary(
                uniqueKeysWithValues: (at("refused_fixes")?.list ?? []).map { item in
                    (try item.at(["reason"])?.text ?? "", Int(try item.at(["count"])?.number ?? 0))
                })
        }
    }
}

extension Backend {
    fileprivate func with(_ change: (inout Backend) -> Void) -> Backend {
        var backend = self
        change(&backend)
        return backend
    }
}
