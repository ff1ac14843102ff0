import Access
import Contacts
import DatabaseTesting
import HTTP
import JSON
import Postgres
import Questions
import Queue
import Testing

@testable import API

/// Files of addok's form.
@Suite(.database)
struct DoorFileTests {
    /// A kit whose chain has only the gazetteer, or also a lane that no worker of the test serves.
    private static func kit(isFar: Bool = false, _ manners: [String: GeocodingManners] = [:]) async throws -> GatewayKit
    {
        try await Database.test.transaction { db in
            if isFar { try JobQueue().addLane("far", by: nil, on: db) }
            for name in ["default", "reverse"] {
                _ = try QuestionQueue().setChain(name, by: .user("test", on: "test"), on: db) { _ in
                    Chain(
                        (isFar && name == "reverse" ? [] : [Chain.Link("gazetteer")])
                            + (isFar ? [Chain.Link("far")] : []))
                }
            }
        }
        return try await GatewayKit(tokens: manners)
    }

    private func send(
        _ kit: GatewayKit, _ file: [UInt8], _ fields: [(String, String)] = [], to path: String = "/addok/search/csv/",
        named name: String = "list.csv", isOverLoopback: Bool = true
    ) async throws -> GatewayKit.Reply {
        let parts = fields.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
        let head = "--b\r\nContent-Disposition: form-data; name=\"data\"; filename=\"\(name)\"\r\n\r\n"
        return try await kit.ask(
            path, .post, headers: ["Content-Type": "multipart/form-data; boundary=b"], isOverLoopback: isOverLoopback,
            body: Array((parts.joined() + head).utf8) + file + Array("\r\n--b--\r\n".utf8))
    }

    @Test func `a file comes back byte for byte, with addok's columns behind its own`() async throws {
        let kit = try await Self.kit()
        let list =
            "\u{FEFF}id;ville;pays;note\r\n1;Reno;US;\"a;b\r\nc \"\"d\"\"\"\r\n;;;\r\n\r\n3;Zzyzzyx;;=1+1\r\n4;Vaduz;LI\r\n5;Reno;US;;x"
        let columns = [("columns", "ville"), ("columns", "pays")]
        let reply = try await send(kit, Array(list.utf8), columns)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.type == "text/csv; charset=utf-8")
        #expect(reply.headers["Content-Disposition"]?.hasPrefix("attachment; filename=\"list.geocoded.csv\"") == true)
        let lines = reply.text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            lines[0]
                == "\u{FEFF}id;ville;pays;note;latitude;longitude;result_label;result_score;result_score_next;result_type;result_id;result_housenumber;result_name;result_street;result_postcode;result_city;result_context"
        )
        let blank = String(repeating: ";", count: 13)
        #expect(lines[1] == "1;Reno;US;\"a;b")
        #expect(lines[2].hasPrefix("c \"\"d\"\"\";39.5"), "\(lines[2])")
        #expect(lines[2].contains(";Reno;") && lines[2].contains(";municipality;"))
        #expect(Array(lines[3...5]) == [";;;" + blank, "", "3;Zzyzzyx;;=1+1" + blank])
        #expect(lines[6].hasPrefix("4;Vaduz;LI;;47.1"), "\(lines[6])")
        #expect(lines[7].hasPrefix("5;Reno;US;;39.5") && lines[7].hasSuffix(";x") && lines.count == 8)
        let few = try await send(
            kit, Array(list.utf8), columns + [("result_columns", "result_label")], to: "/addok/search/csv")
        #expect(few.text.hasPrefix("\u{FEFF}id;ville;pays;note;result_label\r\n1;"))
    }

    @Test(arguments: [nil, "latin-1", "iso8859-15", "cp1252"])
    func `a file in Latin-1 comes back in Latin-1`(encoding: String?) async throws {
        let kit = try await Self.kit()
        let list = Array("ort\tland\nM".utf8) + [0xFC] + Array("nchen\tDE\n".utf8)
        let reply = try await send(kit, list, encoding.map { [("encoding", $0)] } ?? [])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply.body.contains(0xFC) && !reply.body.contains(0xC3))
        #expect(reply.text.split(separator: "\n")[1].contains("\t48.1"))
    }

    @Test func `a file without a delimiter may have commas in its addresses`() async throws {
        let kit = try await Self.kit()
        let reply = try await send(kit, Array("adresse\nReno, NV, USA\nVaduz\n".utf8))
        let lines = reply.text.split(separator: "\n")
        #expect(lines[0].hasPrefix("adresse|latitude|") && lines[1].hasPrefix("Reno, NV, USA|39.5"), "\(lines)")
    }

    @Test func `while an address waits the file is refused with the time, and no address is asked twice`() async throws
    {
        let kit = try await Self.kit(isFar: true, ["app": GeocodingManners(wait: .zero, late: .retry, left: .keep)])
        let path = "/t/\(try #require(kit.tokens["app"]))/addok/search/csv/?wait=0"
        let list = Array("rue,ville\n12 Main St,\"Reno, NV, USA\"\n12 Main St,\"Reno, NV, USA\"\n,\n".utf8)
        for _ in 0..<2 {
            let reply = try await send(kit, list, to: path, isOverLoopback: false)
            #expect(reply.status == 503 && (reply.headers["Retry-After"].flatMap(Int.init) ?? 0) >= 1)
            #expect(try reply.at("title")?.text?.contains("1 addresses still wait") == true, "\(reply.text)")
            let jobs: Int = try await Database.test.query("SELECT count(*) AS n FROM jobs")[0].read("n")
            #expect(jobs == 1)
        }
        try await Database.test.run { db throws in
            try db.query("DELETE FROM jobs")
            try db.query(
                """
                UPDATE geocodes
                SET status = 'located', job = NULL, latitude = 39.5, longitude = -119.8, precision = 'rooftop', provider = 'far',
                    placemark = '{"thoroughfare":"Main St","subThoroughfare":"12","locality":"Reno","countryCode":"US"}',
                    confidence = 0.95, geocoded_at = now()
                """)
        }
        let reply = try await send(kit, list, to: path, isOverLoopback: false)
        let row = "12 Main St,\"Reno, NV, USA\",39.5,-119.8,12 Main St Reno,0.95,,housenumber,"
        #expect(reply.status == 200)
        #expect(reply.text.split(separator: "\n").count { $0.hasPrefix(row) } == 2, "\(reply.text)")
        #expect(reply.text.hasSuffix("\n,,,,,,,,,,,,,,\n"))
    }

    @Test func `coordinates of a file are answered`() async throws {
        let kit = try await Self.kit(isFar: true)
        let list = Array("lon,lat,n\n9.52,47.14,1\n,,2\nx,1,3\n9.52,91,4\n".utf8)
        let first = try await send(kit, list, to: "/addok/reverse/csv?wait=0")
        #expect(first.status == 503, "\(first.text)")
        try await Database.test.run { db throws in
            try db.query("DELETE FROM jobs")
            try db.query(
                """
                UPDATE geocodes
                SET status = 'located', job = NULL, latitude = 47.14, longitude = 9.52, precision = 'rooftop', provider = 'far',
                    placemark = '{"thoroughfare":"Aeulestrasse","subThoroughfare":"30","locality":"Vaduz","countryCode":"LI"}',
                    confidence = 0.95, geocoded_at = now()
                """)
        }
        let reply = try await send(kit, list, to: "/addok/reverse/csv/?wait=0")
        let lines = reply.text.split(separator: "\n")
        #expect(lines[0].hasPrefix("lon,lat,n,result_latitude,result_longitude,result_label,result_distance,"))
        #expect(lines[1].hasPrefix("9.52,47.14,1,47.14,9.52,30 Aeulestrasse Vaduz,0,housenumber,"), "\(lines[1])")
        for (number, line) in lines[2...].enumerated() { #expect(line.hasSuffix("\(number + 2),,,,,,,,,,,,")) }
    }

    @Test func `a file that can't be used is refused in addok's form`() async throws {
        let kit = try await Self.kit()
        let list = Array("ville\nReno\n".utf8)
        for (file, fields, path, part) in [
            (list, [("columns", "stadt")], "search", "column"), (list, [("encoding", "rot13")], "search", "encoding"),
            (list, [("delimiter", "ab")], "search", "delimiter"), ([], [], "search", "empty"),
            (Array("a,b\n\"x\n".utf8), [], "search", "Line 2"), (list, [], "reverse", "latitude or lat"),
            ([0x61, 0x0A, 0xFF, 0x0A], [("encoding", "utf-8")], "search", "Line 2"),
        ] as [([UInt8], [(String, String)], String, String)] {
            let reply = try await send(kit, file, fields, to: "/addok/\(path)/csv/")
            #expect(try reply.status == 400 && reply.at("title") == .text("Bad request"), "\(reply.text)")
            #expect(try reply.at("description")?.text?.contains(part) == true, "\(reply.text)")
        }
        let plain = try await kit.ask("/addok/search/csv/", .post, body: list)
        #expect(plain.status == 400 && plain.text.contains("-F data="))
        let read = try await kit.ask("/addok/search/csv/")
        #expect(read.status == 405 && read.headers["Allow"] == "POST, OPTIONS")
        let strange = try await send(kit, list, isOverLoopback: false)
        #expect(strange.status == 401)
    }

    @Test func `ten thousand rows keep their order`() async throws {
        let kit = try await Self.kit()
        let towns = ["Reno,US", "Vaduz,LI", "Espoo,FI", "Oslo,NO"]
        let list = "n,town,country\n" + (0..<10_000).map { "\($0),\(towns[$0 % 4])\n" }.joined()
        let reply = try await send(kit, Array(list.utf8), [("columns", "town"), ("columns", "country")])
        let lines = reply.text.split(separator: "\n")
        #expect(lines.count == 10_001)
        for (number, line) in lines.dropFirst().enumerated() {
            guard line.hasPrefix("\(number),\(towns[number % 4]),") && !line.hasSuffix(",,,,") else {
                Issue.record("\(line)")
                break
            }
        }
    }
}
