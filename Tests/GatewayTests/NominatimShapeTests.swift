import DatabaseTesting
import Formats
import Foundation
import JSON
import MapTesting
import Points
import Postgres
import Queue
import Testing

@testable import API

/// Replies of a real Nominatim 5.3.3 over the map of Liechtenstein, and those of the gateway over the same map.
/// `nominatim.jsonl` is © OpenStreetMap contributors, ODbL 1.0.
@Suite(.database)
struct NominatimShapeTests {
    @Test func `the replies have the structure of a real Nominatim's`() async throws {
        _ = try await RegionLoad("liechtenstein").run(
            RegionLoad("liechtenstein").join(RegionObjects(reading: MapExtract(path: Osmium.sample))),
            by: .user("test", on: "test"), on: Database.test)
        let kit = try await GatewayKit()
        var all = ShapeComparison()
        #expect(Recorded.all.count > 70)
        for recorded in Recorded.all {
            let reply = try await kit.ask("/nominatim" + recorded.target)
            var one = ShapeComparison()
            one.note(reply.status == recorded.status, "status \(reply.status) for \(recorded.status)")
            one.note(reply.type == recorded.type, "type \(reply.type) for \(recorded.type)")
            one.note(reply.body.last != UInt8(ascii: "\n"), "a line end")
            if recorded.type.hasPrefix("application/json"), reply.status == recorded.status {
                one.compare(recorded.body, reply.text)
            }
            if !one.differences.isEmpty { print(recorded.target, one.differences.joined(separator: "; ")) }
            all.add(one)
        }
        print("\(all.good) of \(all.all) checks")
        #expect(Double(all.good) >= 0.98 * Double(all.all))
    }
}

/// A request to a real Nominatim, and its reply.
struct Recorded {
    let target: String
    let status: Int
    let type: String
    let body: String

    static let all: [Recorded] = {
        guard let url = Bundle.module.url(forResource: "nominatim", withExtension: "jsonl"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { line in
            guard let row = (try? JSONValue(parsing: Array(line.utf8)))?.list, row.count == 4,
                let target = row[0].text?.dropFirst(4), let status = row[1].number
            else { return nil }
            return Recorded(
                target: String(target), status: Int(status), type: row[2].text ?? "", body: row[3].text ?? "")
        }
    }()
}

extension ShapeComparison {
    fileprivate mutating func add(_ other: Self) {
        good += other.good
        all += other.all
        differences += other.differences
    }
}
