import DatabaseTesting
import Foundation
import Geocoding
import HTTP
import JSON
import Polling
import Postgres
import Processes
import Testing

@testable import API
@testable import Contacts
@testable import Formats

/// A file is sent, and comes back with places.
@Suite(.database)
struct FileRouteTests {
    private static let list = "Name;Ort;Land;Notiz\r\nAda;Reno;US;=1+1\r\nBob;Espoo;FI;\"a;b\"\r\nEve;Reno;US;\r\n"

    private func send(
        _ client: APIClient, _ file: some Sequence<UInt8>, _ query: String = "name=list.csv&wait=0",
        to path: String = "/v1/geocode/file"
    ) async throws -> APIClient.Answer {
        try await client.ask(.post, "\(path)?\(query)", body: Array(file))
    }

    private func answerAll() async throws { try await Database.test.run { try $0.locateAll() } }

    private func number(_ sql: SQL) async throws -> Int { try await Database.test.query(sql)[0].read("n") }

    @Test func `a file whose answers are known comes back at once, its own bytes unchanged`() async throws {
        let client = try await APIClient.test()
        try await send(client, Self.list.utf8).expect(202)
        try await answerAll()
        let answer = try await send(client, Self.list.utf8).expect(200)
        #expect(answer.headers["Content-Disposition"] == "attachment; filename=\"list.csv\"; filename*=UTF-8''list.csv")
        let rows = answer.text.split(separator: "\r\n")
        #expect(rows.count == 4)
        // A text of the file that looks like a formula stays as it was, as with `waypost geocode`.
        for (row, own) in zip(rows, Self.list.split(separator: "\r\n")) { #expect(row.hasPrefix(own + ";")) }
        #expect(rows[0].hasPrefix("Name;Ort;Land;Notiz;latitude;longitude;"))
        #expect(rows[1].contains(";39,5;-119,8;rooftop;"))
        #expect(try await number("SELECT count(*) AS n FROM geocodes") == 2)
        #expect(try await number("SELECT count(*) AS n FROM friends") == 0)
    }

    @Test func `a file that takes longer is a run with progress and a result, until it is deleted`() async throws {
        let client = try await APIClient.test()
        let begun = try await send(client, Self.list.utf8).expect(
            202, has: ["state": "running", "rows": 3, "addresses": 3, "done": 0, "by_status.waiting": 3])
        let path = try #require(begun.headers["Location"])
        try await client.get(path).expect(200, has: ["waits_for.0.lane": "gazetteer", "name": "list.csv"])
        #expect(try await client.get("\(path)/result").expect(409).text.contains("partial=true"))
        #expect(try await client.get("\(path)/result?partial=true").expect(200).text.contains(";waiting;"))
        try await answerAll()
        try await client.get(path).expect(200, has: ["state": "done", "done": 3, "by_status.located": 3])
        #expect(try await client.get("\(path)/result").expect(200).text.contains("Espoo;FI;\"a;b\";39,5;"))
        let rows = try await client.get("\(path)/rows").expect(200, has: ["0.1": "Ort", "2.1": "Espoo"])
        #expect(try rows.at("2", "4") == .number(39.5))
        try await client.get("/v1/geocode/files").expect(200, has: ["data.0.name": "list.csv", "data.1": nil])
        try await client.send(.delete, path).expect(204)
        for target in [path, "\(path)/result", "\(path)/events"] { try await client.get(target).expect(404) }
        try await client.send(.delete, path).expect(404)
    }

    @Test func `another account finds nothing of a run`() async throws {
        let client = try await APIClient.test()
        let path = try #require(try await send(client, Self.list.utf8).headers["Location"])
        let other = client.with(token: "other")
        for target in [path, "\(path)/result?partial=true", "\(path)/events"] {
            try await other.get(target).expect(404)
        }
        try await other.send(.delete, path).expect(404)
        try await other.get("/v1/geocode/files").expect(200, has: ["data.0": nil])
        try await client.get(path).expect(200)
    }

    @Test func `answers that come within the wait are in the first reply`() async throws {
        let client = try await APIClient.test()
        async let reply = send(client, Self.list.utf8, "name=list.csv&wait=30")
        try await pollUntil { try await number("SELECT count(*) AS n FROM geocodes WHERE status = 'waiting'") == 2 }
        try await answerAll()
        try await reply.expect(200)
        #expect(try await number("SELECT count(*) AS n FROM file_runs") == 0)
        try await send(client, Self.list.utf8, "name=list.csv&run=true").expect(202, has: ["state": "done"])
    }

    @Test(arguments: ["tsv", "xlsx", "ods", "vcf"])
    func `each format comes back as itself`(ending: String) async throws {
        let client = try await APIClient.test()
        let file = try await Self.file(ending)
        for query in ["name=L.\(ending)&wait=0", "wait=0"] {
            let path = try #require(try await send(client, file, query).expect(202).headers["Location"])
            try await answerAll()
            let answer = try await client.get("\(path)/result").expect(200)
            let memory = try MemoryFile(answer.bytes)
            let source = try Source(memory, named: "", format: nil, options: ReadingOptions())
            let format = SourceFormat(rawValue: ending) ?? (ending == "vcf" ? .vCard : .csv)
            #expect(source.format == format)
            let contents = try await FileContents(of: source)
            #expect(contents.friends.map(\.name) == ["Ada", "Bob", "Eve"])
            #expect(try await client.get("\(path)/rows").expect(200).text.contains("39.5,-119.8"))
            try await client.send(.delete, path).expect(204)
            try await Database.test.query("DELETE FROM geocodes")
        }
    }

    private static func file(_ ending: String) async throws -> [UInt8] {
        let text = list.replacing("\"a;b\"", with: "").replacing(";", with: "\t")
        guard ending != "tsv", ending != "vcf" else {
            let cards = ["Ada": "Reno;;;US", "Bob": "Espoo;;;FI", "Eve": "Reno;;;US"].sorted { $0.key < $1.key }.map {
                "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\($0.key)\r\nADR:;;;\($0.value)\r\nEND:VCARD\r\n"
            }
            return Array((ending == "tsv" ? text : cards.joined()).utf8)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (
            folder.appendingPathComponent("a.tsv").path, folder.appendingPathComponent("b.\(ending)").path
        )
        try Data(text.utf8).write(to: URL(fileURLWithPath: input))
        var options = ReadingOptions()
        options.columns = try ColumnNames("name,city,country,-")
        let table = Source(place: .file(input), format: .csv, options: options)
        var copy = try #require(try table.copy(to: output, nil, adding: .none))
        while try copy.read(limit: 10) != nil { try copy.write([:]) }
        try copy.finish().commit()
        return try Array(Data(contentsOf: URL(fileURLWithPath: output)))
    }

    /// The name, the bytes, the status, and a part of the sentence.
    private static let bad: [(String, [UInt8], Int, String)] = [
        ("a.csv", [], 422, "is empty"), ("a.csv", Array("\r\n\r\n".utf8), 422, "is empty"),
        ("a.csv", Array("colour\nred\n".utf8), 422, "mapping="), ("a.xlsx", Array("no zip".utf8), 422, "damaged"),
        ("a.ods", Array("PK\u{3}\u{4}".utf8), 422, "damaged"), ("a.csv", [0x1F, 0x8B, 8, 0], 422, "gzip"),
        ("a.csv", Array("%PDF-1.7".utf8), 422, "PDF"),
        ("a.json", Array("{\"type\":\"FeatureCollection\",\"features\":[]}".utf8), 415, "geojson"),
        ("a.ndjson", Array("{}\n".utf8), 415, "ndjson"), ("", [0xFF, 0xFE, 0, 0xD8], 422, ""),
        ("a.vcf", Array("BEGIN:VCARD\n".utf8), 200, ""), ("a.csv", Array(repeating: 0, count: 5_000), 422, ""),
        ("a.csv", Array("city\n".utf8), 200, ""), ("a.csv", Array("city,latitude\nReno,1e999\n".utf8), 202, ""),
        ("a.csv", Array(("city\n" + String(repeating: "a\n", count: 100_001)).utf8), 413, "100000 contacts"),
        ("a.csv", Array(repeating: 10, count: 1_000_000), 422, "is empty"),
        ("a.csv", Array(repeating: 97, count: 33_554_433), 413, "33554432"),
        ("a.csv", Array(("city\n\"" + String(repeating: "a", count: 1_000_000)).utf8), 200, ""),
    ]

    @Test(arguments: bad.indices)
    func `a file that can't be used gets a sentence, and the log nothing of it`(index: Int) async throws {
        let (name, bytes, status, part) = Self.bad[index]
        let lines = Locked<[String]>([])
        let client = try await APIClient.test(
            log: Log(format: .logfmt) { line in lines.withLock { $0.append("\(line)") } })
        for path in ["/v1/geocode/file", "/v1/plan/file"] {
            let query = path.hasSuffix("plan/file") ? "name=Zappa\(name)" : "name=Zappa\(name)&wait=0"
            let answer = try await send(client, bytes, query, to: path)
            let expected = path.hasSuffix("plan/file") && status < 300 ? 200 : status
            #expect(
                answer.status == expected && (status < 300 || part.isEmpty || answer.text.contains(part)),
                "\(answer.text)")
        }
        #expect(!lines.withLock(\.self).joined().contains("Zappa"))
    }

    @Test func `a workbook that unpacks to more than 512 MiB is refused before it is unpacked`() async throws {
        let client = try await APIClient.test()
        var bytes = try await Self.file("xlsx")
        // The size of each entry in the list at the end of the archive.
        for start in bytes.indices.dropLast(46) where bytes[start..<start + 4].elementsEqual([0x50, 0x4B, 1, 2]) {
            bytes.replaceSubrange(start + 24..<start + 28, with: [0, 0, 0, 0x30])
        }
        let answer = try await send(client, bytes, "name=bomb.xlsx&wait=0").expect(422)
        #expect(answer.text.contains("512 MiB"))
    }

    @Test func `a ninth file at once is refused, and finished files make room`() async throws {
        let places = FilePlaces()
        func read(_ files: Int) async throws {
            try await places.with { if files > 1 { try await read(files - 1) } }
        }
        for _ in 0..<2 {
            try await read(8)
            await #expect { try await read(9) } throws: { ($0 as? RequestError)?.status == 429 }
        }
    }

    @Test func `the settings of a file are checked, and each mistake is named`() async throws {
        let client = try await APIClient.test()
        for (query, field) in [
            ("columns=name,nonsense", "columns"), ("mapping=city", "mapping"), ("country=Atlantis", "country"),
            ("encoding=rot13", "encoding"), ("from=pdf", "from"), ("wait=31", "wait"), ("add=moon", "add"),
            ("columns=city&mapping=city%20%3D%20Ort", "columns"),
        ] {
            try await send(client, Self.list.utf8, query).expect(400, has: ["errors.0.field": .text(field)])
        }
    }

    @Test func `a webhook is set with the run, and its secret is told once`() async throws {
        let client = try await APIClient.test()
        let query = "wait=0&notify=https%3A%2F%2Fexample.org%2Fdone%3Fkey%3D1"
        let begun = try await send(client, Self.list.utf8, query).expect(202)
        #expect(try begun.at("notify_secret")?.text?.hasPrefix("whsec_") == true)
        let path = try #require(begun.headers["Location"])
        #expect(try await client.get(path).at("notify_secret") == .null)
        #expect(!(try await client.get(path).text.contains("key=1")))
        // The webhook is not a setting of the reading, so this is the same run.
        #expect(try await send(client, Self.list.utf8, "wait=0").headers["Location"] == path)
        let count = try await number(
            "SELECT count(*) AS n FROM file_runs WHERE notify LIKE 'https://%' AND notify_at IS NULL")
        #expect(count == 1)
        for url in ["http%3A%2F%2Fexample.org", "x", "https%3A%2F%2Fa%3Ab%40example.org", ""] {
            try await send(client, Self.list.utf8, "notify=\(url)").expect(400, has: ["errors.0.field": "notify"])
        }
        let keyless = try await APIClient.test { $0.seal = { _, _ in nil } }
        #expect(try await send(keyless, Self.list.utf8, query).expect(503).text.contains("WAYPOST_SEALING_KEYS"))
    }

    private func form(_ parts: [(head: String, content: String)]) -> [UInt8] {
        let texts = parts.map { "--b\r\nContent-Disposition: form-data; \($0.head)\r\n\r\n\($0.content)\r\n" }
        return Array((texts + ["--b--\r\n"]).joined().utf8)
    }

    private func post(
        _ client: APIClient, _ body: [UInt8], _ path: String = "/v1/geocode/file"
    ) async throws -> APIClient.Answer {
        try await client.ask(.post, path, headers: ["Content-Type": "multipart/form-data; boundary=b"], body: body)
    }

    @Test func `a browser's form has the file and its settings`() async throws {
        let client = try await APIClient.test()
        let parts = [
            ("name=\"mapping\"", "region = Notiz"), ("name=country", ""), ("name=wait", "0"),
            ("name=data; filename=\"L.csv\"", Self.list),
        ]
        let path = try #require(
            try await post(client, form(parts)).expect(202, has: ["name": "L.csv", "rows": 3]).headers["Location"])
        try await post(client, form(Array(parts.prefix(2)) + [parts[3]]), "/v1/plan/file").expect(
            200, has: ["columns.3.meaning": "region", "rows": 3])
        try await answerAll()
        #expect(try await client.get("\(path)/result").expect(200).text.hasPrefix("Name;Ort;Land;Notiz;latitude;"))
        // The same file with the same settings in the query is the same run.
        let again = try await client.ask(
            .post, "/v1/geocode/file?wait=0&run=true&mapping=region%20%3D%20Notiz&name=L.csv",
            body: Array(Self.list.utf8))
        #expect(again.headers["Location"] == path)
    }

    @Test func `a form that can't be used gets a sentence`() async throws {
        let client = try await APIClient.test()
        let file = ("name=data; filename=\"L.csv\"", Self.list)
        for (body, part) in [
            ([45], "the boundary does not occur"), (form([]), "one file"), (form([file, file]), "one file"),
            (Array(form([file]).dropLast(8)), "last boundary"),
            (form([("name=colour", "red"), file]), "not known here"),
            (form([file, ("name=wait", "31")]), "can't be used"),
        ] {
            for path in ["/v1/geocode/file", "/v1/plan/file"] {
                let answer = try await post(client, body, path).expect(400)
                #expect(answer.text.contains(part) || part.contains("can't"), "\(answer.text)")
            }
        }
        let big = form([("name=data; filename=\"L.csv\"", String(repeating: "a", count: 33_554_433))])
        #expect(try await post(client, big).expect(413).text.contains("33554432"))
    }

    @Test(arguments: [
        ("../../etc/passwd.csv", "passwd.csv"), ("C:\\temp\\l\u{202E}ist.csv", "list.csv"),
        ("a\r\nSet-Cookie: x.csv", "aSet-Cookie: x.csv"),
        ("..", "places.csv"), ("J\u{f6}rg \"x\".csv", "J_rg _x_.csv"),
    ])
    func `the name of a file can't leave its header or its folder`(given: String, plain: String) async throws {
        let client = try await APIClient.test()
        let name = given.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        _ = try await send(client, Self.list.utf8, "name=\(name)&wait=0")
        try await answerAll()
        let answer = try await send(client, Self.list.utf8, "name=\(name)&wait=0").expect(200)
        let header = try #require(answer.headers["Content-Disposition"])
        #expect(header.hasPrefix("attachment; filename=\"\(plain)\"; filename*=UTF-8''"))
        #expect(header.utf8.allSatisfy { 0x20...0x7E ~= $0 })
    }

    @Test func `a plan shows the meaning of each column, which a mapping changes, and asks nothing`() async throws {
        let client = try await APIClient.test()
        let file = "Name,Stadt,Stra\u{df}e,Kommentar\nAda,Reno,1 Main St,x\nBob,Espoo,Kuja 2,y\n"
        try await send(client, file.utf8, "name=a.csv", to: "/v1/plan/file").expect(
            200,
            has: [
                "columns.1.name": "Stadt", "columns.1.meaning": "city", "columns.3.meaning": .null,
                "sample.1.1": "Espoo",
                "rows": 2, "plan.distinct": 2, "plan.known": 0, "has_header": true, "format": "csv",
            ])
        try await send(client, file.utf8, "mapping=region%20%3D%20Kommentar%0A-%20%3D%20Stadt", to: "/v1/plan/file")
            .expect(
                200, has: ["columns.1.meaning": .null, "columns.3.meaning": "region"])
        #expect(try await number("SELECT count(*) AS n FROM geocodes") == 0)
    }

    @Test func `the same file again is the same run, and an account has at most 20`() async throws {
        let client = try await APIClient.test()
        let first = try await send(client, Self.list.utf8)
        #expect(try await send(client, Self.list.utf8).at("id") == first.at("id"))
        for number in 2...20 { try await send(client, Self.list.utf8, "name=\(number).csv&wait=0").expect(202) }
        #expect(try await send(client, Self.list.utf8, "name=21.csv&wait=0").expect(409).text.contains("delete one"))
        try await send(client, Self.list.utf8).expect(202)
    }

    @Test func `a server that dies before it stores the run loses no question and asks none twice`() async throws {
        let client = try await APIClient.test()
        let file = "city\n" + (0..<5_000).map { "Town \($0)\n" }.joined()
        try await Database.test.query("ALTER TABLE file_runs ADD CONSTRAINT dead CHECK (false)")
        #expect(try await send(client, file.utf8).status == 500)
        #expect(try await number("SELECT count(*) AS n FROM geocodes WHERE job IS NOT NULL") == 5_000)
        let jobs = try await number("SELECT count(*) AS n FROM jobs")
        try await Database.test.query("ALTER TABLE file_runs DROP CONSTRAINT dead")
        try await send(client, file.utf8).expect(202, has: ["addresses": 5_000])
        #expect(try await number("SELECT count(*) AS n FROM jobs") == jobs)
    }

    @Test func `the leader notes the end of a run, and deletes it a day later`() async throws {
        let client = try await APIClient.test()
        let path = try #require(try await send(client, Self.list.utf8).headers["Location"])
        func expire() async throws -> Int {
            let worker = try Database.test(as: "waypost_worker")
            defer { Task { await worker.close() } }
            return try await worker.run { try FileRunStore().expire(on: $0) }
        }
        #expect(try await expire() == 0)
        #expect(try await client.get(path).at("kept_until") == .null)
        try await answerAll()
        #expect(try await expire() == 0)
        #expect(try await client.get(path).at("kept_until")?.text != nil)
        try await Database.test.query("UPDATE file_runs SET finished_at = now() - interval '23 hours'")
        #expect(try await expire() == 0)
        try await Database.test.query("UPDATE file_runs SET finished_at = now() - interval '25 hours'")
        #expect(try await expire() == 1)
        try await client.get(path).expect(404)
        try await send(client, Self.list.utf8 + Array("Zoe;Oslo;NO;\r\n".utf8)).expect(202)
        try await Database.test.query("UPDATE file_runs SET created_at = now() - interval '31 days'")
        #expect(try await expire() == 1)
    }

    @Test func `the events of a run tell its progress`() async throws {
        let client = try await APIClient.test()
        let path = try #require(try await send(client, Self.list.utf8).headers["Location"])
        let request = ServerRequest(
            .get, path: path.split(separator: "/").map(String.init) + ["events"],
            headers: ["Authorization": "Bearer \(client.tokens["everything"] ?? "")"])
        guard case .route(let route, let parameters) = client.server.router.find(.get, request.path) else { return }
        let response = try await route.respond(to: request, parameters: parameters)
        guard case .stream(let write) = response.body else { throw RouteMissing(target: path) }
        let events = Locked<[String]>([])
        await #expect(throws: CancellationError.self) {
            try await write(
                ResponseWriter { bytes in
                    events.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
                    if events.withLock(\.count) == 2 { throw CancellationError() }
                    try await answerAll()
                })
        }
        let told = events.withLock(\.self)
        #expect(told.first?.hasPrefix("event: progress\ndata: {") == true)
        #expect(told.first?.contains("\"state\":\"running\"") == true)
        #expect(told.last?.contains("\"state\":\"done\"") == true)
    }

    @Test func `a position in the file stays, and no question is asked for it`() async throws {
        let client = try await APIClient.test()
        let answer = try await send(client, "name,city,country,latitude,longitude\nAda,Espoo,FI,60.2,24.6\n".utf8)
            .expect(200)
        #expect(answer.text.contains("Ada,Espoo,FI,60.2,24.6,60.2,24.6,rooftop,"))
        #expect(answer.text.contains(",contact,"))
        #expect(try await number("SELECT count(*) AS n FROM geocodes") == 0)
    }
}
