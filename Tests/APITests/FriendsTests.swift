import DatabaseTesting
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Processes
import Testing

@testable import API
@testable import Contacts

@Suite(.database)
struct FriendsTests {
    private let main = Address(street: "1 Main St", city: "Reno", country: "US")
    private let elm = Address(street: "2 \"Elm\"\\\n\u{1}☃", city: "Рино", country: "Finland")

    /// Stores friends of an account and returns their ids.
    @discardableResult
    private func store(_ friends: [(String, [LabelledAddress])], account: String = "default") async throws -> [Int] {
        try await Database.test.run { db throws in
            let writer = ContactWriter()
            let number = try ContactStore().openAccount(named: account, on: db)
            let all = friends.map { Friend(sourceKey: $0.0, name: "Friend \($0.0)", addresses: $0.1) }
            _ = try writer.store(all, account: number, on: db)
            try db.query("UPDATE addresses SET country_code = CASE country WHEN 'US' THEN 'US' ELSE 'FI' END")
            return try db.query("SELECT id FROM friends WHERE account = \(number) ORDER BY id").map {
                try $0.read("id")
            }
        }
    }

    private func home(_ address: Address, _ label: String = "home") -> LabelledAddress {
        LabelledAddress(label: label, address: address)
    }

    private func ids(_ answer: APIClient.Answer) throws -> [Int] {
        try answer.at("data")?.list?.compactMap { try $0.at(["id"])?.number.map { Int($0) } } ?? []
    }

    @Test func `a friend is returned with all its fields, in any script`() async throws {
        let client = try await APIClient.test()
        let id = try await store([("ä", [home(main), home(elm, "work")])])[0]
        try await Database.test.run { db throws in
            try db.locateAll()
            try db.query(
                "UPDATE geocodes SET status = 'not_found', latitude = NULL, longitude = NULL, precision = NULL WHERE city <> 'Reno'"
            )
        }
        let answer = try await client.get("/v1/friends/\(id)").expect(has: [
            "key": "ä", "addresses.0.place.latitude": 39.5, "addresses.0.place.confidence": 0.9,
            "addresses.1.street": "2 \"Elm\"\\\n\u{1}☃", "addresses.1.place": .null, "addresses.1.status": "not_found",
        ])
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test func `pages continue after the last key until the end`() async throws {
        let client = try await APIClient.test()
        let all = try await store((0..<5).map { ("\($0)", [home(main)]) })
        var found: [Int] = []
        var after = 0
        for _ in 0..<3 {
            let page = try await client.get("/v1/friends?limit=2&after=\(after)")
            found += try ids(page)
            after = try page.at("next_after")?.number.map { Int($0) } ?? -1
        }
        #expect(found == all)
        #expect(after == -1)
    }

    @Test func `a list contains only friends with one address that fits all filters`() async throws {
        let client = try await APIClient.test()
        let all = try await store([
            ("a", [home(main)]), ("b", [home(elm)]), ("c", [home(main, "work"), home(elm)]), ("d", []),
        ])
        func found(_ query: String) async throws -> [Int] {
            try await ids(client.get("/v1/friends?\(query)")).map { id in all.firstIndex(of: id) ?? -1 }
        }
        #expect(try await found("") == [0, 1, 2, 3])
        #expect(try await found("country=US") == [0, 2])
        #expect(try await found("label=home") == [0, 1, 2])
        #expect(try await found("label=home&country=US") == [0])
        #expect(try await found("status=waiting") == [0, 1, 2])
        #expect(try await found("status=located") == [])
        #expect(try await found("feed=cards") == [])
        try await Database.test.run { db throws in
            try db.query("UPDATE friends SET feed = 'cards' WHERE source_key = 'd'")
            try db.locateAll()
        }
        #expect(try await found("feed=cards") == [3])
        #expect(try await found("status=located") == [0, 1, 2])
    }

    @Test func `friends of another account get 404`() async throws {
        var client = try await APIClient.test()
        let id = try await store([("a", [home(main)])])[0]
        let address: Int = try await Database.test.query("SELECT id FROM addresses")[0].read("id")
        client.token = "other"
        for target in [
            "/v1/friends/\(id)", "/api/contacts/\(id)", "/api/contacts/\(id)/addresses", "/api/addresses/\(address)",
        ] {
            #expect(try await client.get(target).status == 404, "\(target)")
        }
        for target in ["/v1/friends/\(id)/geocode", "/v1/friends/\(id)/retry"] {
            #expect(try await client.send(.post, target).status == 404, "\(target)")
        }
        #expect(try await client.send(.delete, "/v1/friends/\(id)").status == 404)
        #expect(try await client.send(.delete, "/api/addresses/\(address)").status == 404)
        #expect(try await client.send(.put, "/api/contacts/\(id)", #"{"first_name":"Eve"}"#).status == 404)
        #expect(try await client.send(.put, "/api/addresses/\(address)", #"{"city":"Reno"}"#).status == 404)
        #expect(try await client.send(.post, "/api/addresses", #"{"contact_id":\#(id),"city":"Reno"}"#).status == 404)
        for target in ["/v1/friends", "/api/contacts", "/api/addresses"] {
            #expect(try await client.get(target).at("data") == .list([]), "\(target)")
        }
        #expect(try await client.get("/v1/progress").at("addresses") == .number(0))
        #expect(try await client.get("/v1/places?bbox=-180,-90,180,90").at("features") == .list([]))
    }

    @Test func `a deleted friend is gone from every list`() async throws {
        let client = try await APIClient.test()
        let id = try await store([("a", [home(main)])])[0]
        let address: Int = try await Database.test.run { db throws in
            try db.locateAll()
            return try db.query("SELECT id FROM addresses")[0].read("id")
        }
        #expect(try await client.send(.delete, "/v1/friends/\(id)").status == 204)
        for target in ["/v1/friends/\(id)", "/api/contacts/\(id)/addresses", "/api/addresses/\(address)"] {
            #expect(try await client.get(target).status == 404, "\(target)")
        }
        for target in ["/v1/friends", "/api/contacts", "/api/addresses"] {
            #expect(try await client.get(target).at("data") == .list([]), "\(target)")
        }
        #expect(try await client.get("/v1/places?bbox=-180,-90,180,90").at("features") == .list([]))
    }

    @Test func `a truncated stream removes no friend`() async throws {
        let client = try await APIClient.test()
        let two = """
            {"key": "1", "name": "Ada"}
            {"key": "2", "name": "Eve"}
            """
        _ = try await client.send(.put, "/v1/friends?feed=crm&complete=true", two, type: "application/x-ndjson")
        let pieces = Pieces([Array(#"{"key": "1", "name": "Ada"}"#.utf8 + [10])])
        let request = ServerRequest(
            .put, path: ["v1", "friends"], query: [("feed", "crm"), ("complete", "true")],
            headers: [
                "Host": "map.example", "Content-Type": "application/x-ndjson",
                "Authorization": "Bearer \(client.tokens["everything"] ?? "")",
            ], body: RequestBody { try await pieces.next() })
        guard case .route(let route, let parameters) = client.server.router.find(.put, request.path) else {
            throw RouteMissing(target: "/v1/friends")
        }
        await #expect(throws: BodyError.brokenOff) { try await route.respond(to: request, parameters: parameters) }
        #expect(try await client.get("/v1/friends").at("data")?.list?.count == 2)
    }

    @Test func `a stream that another stream replaced is answered with 409`() async throws {
        let client = try await APIClient.test()
        let headers: HTTPHeaders = [
            "Host": "map.example", "Content-Type": "application/x-ndjson",
            "Authorization": "Bearer \(client.tokens["everything"] ?? "")",
        ]
        let turn = Locked(0)
        let request = ServerRequest(
            .put, path: ["v1", "friends"], query: [("feed", "crm"), ("complete", "true")], headers: headers,
            body: RequestBody {
                switch turn.withLock({ turn in
                    turn += 1
                    return turn
                }) {
                case 1: return Array(#"{"key": "1", "name": "Ada"}"#.utf8 + [10])
                case 2:
                    try await client.send(
                        .put, "/v1/friends?feed=crm&complete=true", #"{"key": "2", "name": "Eve"}"#,
                        type: "application/x-ndjson"
                    ).expect(200)
                    return Array(#"{"key": "3", "name": "Bob"}"#.utf8 + [10])
                default: return nil
                }
            })
        guard case .route(let route, let parameters) = client.server.router.find(.put, request.path) else {
            throw RouteMissing(target: "/v1/friends")
        }
        #expect(try await route.respond(to: request, parameters: parameters).status == 409)
        let names = try await client.get("/v1/friends").at("data")?.list?.map { $0.object?["name"] }
        #expect(names == [.text("Eve")])
    }

    @Test(arguments: ["/v1/queue", "/v1/lanes/gazetteer"])
    func `an unknown parameter is refused also on a route without parameters`(target: String) async throws {
        let client = try await APIClient.test()
        let answer = try await client.get("\(target)?status=located").expect(400)
        #expect(try answer.at("errors", "0", "detail")?.text?.hasSuffix("known: none") == true)
    }

    @Test func `a new address is placed after the others, also when positions have run out`() async throws {
        let client = try await APIClient.test()
        let id = try await store([("a", [home(main), home(elm)])])[0]
        try await Database.test.query("UPDATE addresses SET position = position * 32767 / 2")
        try await client.send(.post, "/api/addresses", #"{"contact_id":\#(id),"city":"Turku"}"#).expect(201)
        let cities = try await client.get("/v1/friends/\(id)").at("addresses")?.list?.map { $0.object?["city"] }
        #expect(cities == [.text("Reno"), .text("Рино"), .text("Turku")])
    }

    @Test func `a contact with a thousand addresses gets no further one`() async throws {
        let client = try await APIClient.test()
        let id = try await store([("a", [home(main)])])[0]
        try await Database.test.query(
            """
            INSERT INTO addresses (friend, position, city)
            SELECT friend, number, number FROM addresses, generate_series(2, 1000) AS number
            """)
        let answer = try await client.send(.post, "/api/addresses", #"{"contact_id":\#(id),"city":"Reno"}"#).expect(422)
        #expect(try answer.at("error", "message", "0")?.text?.hasPrefix("contact_id: ") == true)
    }

    @Test func `a stream is stored although the database connection is cut once`() async throws {
        let client = try await APIClient.test()
        try await Database.test.run { db throws in
            try db.run(
                script: """
                    CREATE SEQUENCE cuts;
                    -- SECURITY DEFINER, because the API's role may not terminate a session.
                    CREATE FUNCTION cut_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                    BEGIN
                        -- A rollback does not reset a sequence, so it counts the failed attempts too.
                        IF nextval('cuts') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60); END IF;
                        RETURN NEW;
                    END $$;
                    CREATE TRIGGER cut BEFORE INSERT ON import_batches FOR EACH ROW EXECUTE FUNCTION cut_once();
                    """)
        }
        let answer = try await client.send(
            .put, "/v1/friends?feed=crm", #"{"key": "1", "name": "Ada"}"#, type: "application/x-ndjson")
        #expect(answer.status == 200)
        #expect(try answer.at("added") == .number(1))
        #expect(try await client.get("/v1/friends").at("data")?.list?.count == 1)
    }

    @Test func `a stream of contacts is answered with counts and refusals`() async throws {
        let client = try await APIClient.test()
        let answer = try await client.send(
            .put, "/v1/friends?feed=crm&complete=true",
            """
            {"key": "1", "name": "Ada", "addresses": [{"street": "1 Elm St", "city": "Reno"}]}
            nonsense
            {"key": "2", "name": "Eve"}
            """, type: "application/x-ndjson")
        try answer.expect(200, has: ["added": 2, "refusals.0.line": 2])

        try await client.send(
            .put, "/v1/friends?feed=crm&complete=true", #"{"key": "1", "name": "Ada B."}"#, type: "application/x-ndjson"
        ).expect(has: ["changed": 1, "removed": 1])
        let names = try await client.get("/v1/friends").at("data")?.list?.map { $0.object?["name"] }
        #expect(names == [.text("Ada B.")])

        try await client.send(.put, "/v1/friends?feed=crm", "{}").expect(415)
        try await client.send(.put, "/v1/friends", "{}", type: "application/x-ndjson").expect(
            400, has: ["errors.0.field": "feed"])
    }

    @Test func `a box with too many places returns a sample and its approximate share`() async throws {
        let client = try await APIClient.test()
        try await store([("a", [home(main)])])
        try await Database.test.run { db throws in
            try db.locateAll()
            try db.query(
                """
                INSERT INTO friends (account, source_key, name)
                SELECT account, 'copy ' || number, '' FROM friends, generate_series(2, 6000) AS number
                """)
            try db.query(
                """
                INSERT INTO addresses (friend, position, street, city, region, postcode, country, hash)
                SELECT friends.id, 1, street, city, region, postcode, country, hash
                FROM friends
                JOIN addresses ON true
                WHERE source_key LIKE 'copy %'
                """)
        }
        try await client.get("/v1/places?bbox=-120,39,-119,40&limit=6000").expect(has: ["share": 1])
        for limit in [200, 500, 2_000] {
            let answer = try await client.get("/v1/places?bbox=-120,39,-119,40&limit=\(limit)")
            let share = try #require(try answer.at("share")?.number)
            #expect((4_500...7_500).contains(Double(limit) / share), "\(limit): \(share)")
        }
    }

    @Test func `places in a box are GeoJSON with names, also across the date line`() async throws {
        let client = try await APIClient.test()
        try await store([("a", [home(main), home(main, "work")])])
        try await Database.test.run { db throws in
            try db.locateAll()
            try db.query("UPDATE lanes SET attribution = 'GeoNames' WHERE name = 'gazetteer'")
        }
        func count(_ box: String) async throws -> Int {
            try await client.get("/v1/places?bbox=\(box)").at("features")?.list?.count ?? -1
        }
        for (limit, isTruncated) in [(1, true), (2, false)] {
            let answer = try await client.get("/v1/places?bbox=-120,39,-119,40&limit=\(limit)")
            #expect(try answer.at("features")?.list?.count == limit)
            #expect(try answer.at("truncated") == .bool(isTruncated))
        }
        let answer = try await client.get("/v1/places?bbox=-120,39,-119,40")
        #expect(answer.headers["Content-Type"] == "application/geo+json")
        try answer.expect(has: [
            "features.0.geometry.coordinates": .list([.number(-119.8), .number(39.5)]),
            "attribution": .list([.text("GeoNames")]),
        ])
        #expect(try await count("-119,39,-118,40") == 0)
        #expect(try await count("-120,40,-119,41") == 0)
        #expect(try await count("170,39,-119,40") == 2)
        #expect(try await count("-119,39,-120,40") == 0)
        for box in [
            "1,2,3", "1,2,3,4,5", "1,2,x,4", "0,0,1e1,1", "0,0,01,1", "nan,0,1,1", "1,2,,4",
        ] {
            #expect(try await client.get("/v1/places?bbox=\(box)").status == 400, "\(box)")
        }
    }

    @Test func `with add, an address has all details of a place, or why there is none`() async throws {
        let client = try await APIClient.test()
        let id = try await store([("1", [home(main), home(elm, "work")])])[0]
        try await Database.test.run { db throws in
            try db.locateAll()
            try db.query(
                """
                UPDATE geocodes
                SET placemark = '{"locality": "Milano", "postalCode": "20147", "administrativeArea": "Milano", "countryCode": "IT"}'
                WHERE city = 'Reno'
                """)
            try db.query(
                """
                UPDATE geocodes
                SET status = 'failed', latitude = NULL, longitude = NULL, precision = NULL, provider = 'photon',
                    reason = 'refused: photon answered 400'
                WHERE city <> 'Reno'
                """)
        }
        try await client.get("/v1/friends/\(id)").expect(has: [
            "addresses.1.reason": "photon refused: photon answered 400", "addresses.0.matched_address": nil,
        ])
        for target in ["/v1/friends/\(id)?add=all", "/v1/friends?add=all"] {
            let path = target.contains("/v1/friends?") ? ["data", "0"] : []
            let answer = try await client.get(target)
            let address = try #require(try answer.json.at(path + ["addresses", "0"]))
            #expect(try address.at(["matched_address"]) == .text("20147 MILANO MI, ITALY"))
            #expect(try address.at(["matched_country"]) == .text("Italy"))
            #expect(try address.at(["hash"])?.text?.count == 64)
            #expect(try answer.json.at(path + ["addresses", "1", "matched_city"]) == .null)
        }
        try await client.get("/v1/places?bbox=-180,-90,180,90&add=matched_address,reason").expect(has: [
            "features.0.properties.matched_address": "20147 MILANO MI, ITALY", "features.0.properties.hash": nil,
        ])
        for wrong in ["add=", "add=foo", "add=ALL", "add=all,all", "add=hash,%20reason"] {
            #expect(try await client.get("/v1/friends?\(wrong)").status == 400, "\(wrong)")
        }
    }

    @Test func `a question gets 202 until its answer is known, and shows no id`() async throws {
        let client = try await APIClient.test()
        let body = #"{"street":"1 Main St","city":"Reno","country":"US"}"#
        let first = try await client.send(.post, "/v1/geocode", body).expect(202)
        #expect(first.headers["Retry-After"] != nil)
        #expect(
            try first.json
                == .object([
                    "status": .text("waiting"), "reason": .text("no provider has answered yet"), "place": .null,
                    "waits_for": .object(["lane": .text("gazetteer"), "why": .text("no worker"), "seconds": .null]),
                ]))
        try await Database.test.run { try $0.locateAll() }
        try await client.send(.post, "/v1/geocode", body).expect(200, has: ["place.latitude": 39.5, "id": nil])

        #expect(try await client.get("/v1/reverse?latitude=39.5&longitude=-119.8").status == 202)
        #expect(try await client.get("/v1/reverse?latitude=91&longitude=0").status == 422)
        #expect(try await client.get("/v1/reverse?latitude=1&longitude=1&chain=none").status == 400)
        #expect(try await client.get("/v1/reverse?latitude=1&longitude=1&chain=default").status == 202)
        let names = try await Database.test.query(
            """
            SELECT name FROM geocodes JOIN chains ON chains.id = chain
            WHERE at_latitude IS NOT NULL ORDER BY geocodes.id
            """
        ).map { try $0.read("name", as: String.self) }
        #expect(names == ["reverse", "default"])
        #expect(try await client.send(.post, "/v1/geocode", "{}").status == 422)
    }

    @Test func `the progress counts addresses by their status`() async throws {
        let client = try await APIClient.test()
        try await store([("a", [home(main), home(elm)])])
        try await client.get("/v1/progress").expect(has: ["by_status.waiting": 2])
        try await Database.test.run { try $0.locateAll() }
        try await Database.test.query("UPDATE geocodes SET is_weak = true WHERE street LIKE '%Elm%'")
        try await client.get("/v1/progress").expect(has: ["by_status.located": 2, "weak": 1])
    }

    @Test func `lanes and the queue need the scope admin`() async throws {
        var client = try await APIClient.test()
        try await store([("a", [home(main)])])
        #expect(try await client.get("/v1/lanes").at("data", "0", "name")?.text != nil)
        try await client.get("/v1/lanes/gazetteer").expect(has: ["state": "open", "kind": "geocoding"])
        #expect(try await client.get("/v1/lanes/nowhere").status == 404)
        #expect(try await client.get("/v1/queue").at("ready") == .number(1))
        client.token = "reader"
        for target in ["/v1/lanes", "/v1/lanes/gazetteer", "/v1/queue"] {
            #expect(try await client.get(target).status == 403, "\(target)")
        }
    }
}

/// The pieces of a body whose sender disconnects before the end.
private actor Pieces {
    private var rest: [[UInt8]]

    init(_ pieces: [[UInt8]]) {
        rest = pieces
    }

    func next() throws -> [UInt8] {
        guard !rest.isEmpty else { throw BodyError.brokenOff }
        return rest.removeFirst()
    }
}
