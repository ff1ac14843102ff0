import DatabaseTesting
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Testing

@testable import API

/// A typical day of a program written for Monica 4.1.2, at the socket. Every reply has the members of Monica's reply.
@Suite(.database)
struct MonicaSessionTests {
    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    private static let flags = "is_birthdate_known=0&is_deceased=0&is_deceased_date_known=0"

    private func expect(
        _ answer: APIClient.Answer, _ status: Int, _ shape: MonicaShape, _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, "\(answer.text)", sourceLocation: location)
        #expect(answer.headers["Content-Type"] == "application/json", sourceLocation: location)
        #expect(try shape.differences(answer.json) == [], sourceLocation: location)
    }

    private func number(_ answer: APIClient.Answer) throws -> Int {
        try #require(answer.at("data", "id")?.number.flatMap { Int(exactly: $0) })
    }

    @Test func `each reply of a session has the shape of Monica's`() async throws {
        try await SocketClient.with { client in
            try await expect(client.ask(.get, "/monica/api/me"), 200, .me)
            let countries = try await client.ask(.get, "/monica/api/countries")
            for (code, country) in try #require(countries.at("data")?.object) {
                #expect(MonicaShape.country.differences(country) == [])
                #expect(country.object?["iso"] == .text(code.uppercased()))
            }

            let names = "first_name=Ada&middle_name=King&last_name=Lovelace&nickname=Countess&"
            let added = try await client.send(.post, "/monica/api/contacts", names + Self.flags, headers: Self.form)
            try expect(added, 201, .contact)
            #expect(try added.at("data", "complete_name") == .text("Ada King Lovelace"))
            #expect(try added.at("data", "initials") == .text("AKL"))
            let id = try number(added)
            let contact = "/monica/api/contacts/\(id)"
            #expect(added.headers["Location"] == contact)
            #expect(try added.at("data", "url") == .text("http://map.example\(contact)"))

            let home = "contact_id=\(id)&name=home&street=M%C3%A4kel%C3%A4nkatu+1&city=Helsinki&country=FI&province="
            let placed = try await client.send(.post, "/monica/api/addresses", home, headers: Self.form)
            try expect(placed, 201, .address)
            #expect(try placed.at("data", "street") == .text("Mäkelänkatu 1"))
            #expect(try placed.at("data", "country", "id") == .text("FI"))
            #expect(try placed.at("data", "contact", "uuid") == added.at("data", "uuid"))
            let address = "/monica/api/addresses/\(try number(placed))"
            for target in [contact, address] {
                let time = try await client.ask(.get, target).at("data", "created_at")?.text ?? ""
                #expect(try #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#.wholeMatch(in: time) != nil, "\(time)")
            }

            try await Database.test.run { try $0.locateAll() }
            let found = try await client.ask(.get, address)
            try expect(found, 200, .address)
            #expect(try found.at("data", "latitude") != .null)
            try await expect(client.ask(.get, contact), 200, .contact)
            try await expect(client.ask(.get, "/monica/api/contacts?limit=1&sort=-updated_at"), 200, .contacts)
            try await expect(client.ask(.get, "/monica/api/contacts?query=lovelace&page=1"), 200, .contactsFound)
            try await expect(client.ask(.get, "/monica/api/addresses"), 200, .addresses)
            try await expect(client.ask(.get, contact + "/addresses"), 200, .addresses)

            let moved = try await client.send(
                .put, address, #"{"contact_id":"\#(id)","name":"work","city":"Espoo","country":null}"#)
            try expect(moved, 200, .address)
            #expect(try moved.at("data", "street") == .null)
            #expect(try moved.at("data", "country") == .null)
            let renamed = try await client.send(
                .patch, contact, "first_name=Augusta&nickname=&" + Self.flags, headers: Self.form)
            try expect(renamed, 200, .contact)
            #expect(try renamed.at("data", "complete_name") == .text("Augusta King Lovelace"))
            #expect(try renamed.at("data", "nickname") == .null)
            #expect(try renamed.at("data", "uuid") == added.at("data", "uuid"))

            try await expect(client.send(.delete, address), 200, .deletedAddress)
            let removed = try await client.send(.delete, contact)
            try expect(removed, 200, .deletedContact)
            #expect(try removed.at("id") == .text("\(id)"))
            try await expect(client.ask(.get, contact), 404, .error)
            try await expect(client.send(.delete, address), 422, .wrongFields)
        }
    }

    @Test func `a route of Monica that Waypost lacks gets 404 in Monica's form`() async throws {
        try await SocketClient.with { client in
            for path in ["tags", "contacts/1/notes", "me/compliance", "statistics", "", "nothing"] {
                let answer = try await client.ask(.get, "/monica/api/\(path)")
                try expect(answer, 404, .error)
                #expect(try answer.at("error", "error_code") == .number(31))
            }
            try await expect(client.send(.put, "/monica/api/contacts/1/work", "{}"), 404, .error)
            let wrong = try await client.send(.delete, "/monica/api/contacts")
            try expect(wrong, 405, .refusal)
            #expect(wrong.headers["Allow"]?.contains("POST") == true)
            // Only Waypost's own path adds an address to a contact.
            try await expect(client.send(.post, "/monica/api/contacts/1/addresses", "{}"), 405, .refusal)
        }
    }

    @Test func `tokens, scopes, conditions and idempotency keys work as under /api`() async throws {
        try await SocketClient.with { client in
            var (reader, other) = (client, client)
            reader.client.token = "reader"
            other.client.token = "other"
            let body = "first_name=Ada&" + Self.flags
            let refused = try await reader.send(.post, "/monica/api/contacts", body, headers: Self.form)
            try expect(refused, 403, .error)
            #expect(try refused.at("error", "error_code") == .number(42))

            var headers = Self.form
            headers["Idempotency-Key"] = "k"
            let first = try await client.send(.post, "/monica/api/contacts", body, headers: headers)
            let again = try await client.send(.post, "/monica/api/contacts", body, headers: headers)
            #expect(first.status == 201)
            #expect(again.bytes == first.bytes)
            try await expect(
                client.send(.post, "/monica/api/contacts", body + "&nickname=x", headers: headers), 409, .error)
            #expect(try await client.ask(.get, "/monica/api/contacts").at("meta", "total") == .number(1))

            let contact = "/monica/api/contacts/\(try number(first))"
            try await expect(other.ask(.get, contact), 404, .error)
            let tag = try #require(first.headers["ETag"])
            #expect(try await client.ask(.get, contact, headers: ["If-None-Match": tag]).status == 304)
            headers = Self.form
            headers["If-Match"] = "\"stale\""
            try await expect(client.send(.put, contact, body, headers: headers), 412, .error)
            headers["If-Match"] = tag
            try await expect(client.send(.put, contact, body, headers: headers), 200, .contact)
        }
    }

    @Test func `the importer for Monica servers imports from this server`() async throws {
        try await SocketClient.with { client in
            for name in ["Ada", "Bob"] {
                let added = try await client.send(
                    .post, "/monica/api/contacts", "first_name=\(name)&" + Self.flags, headers: Self.form)
                let home = "contact_id=\(try number(added))&name=home&street=1+Main+St&city=Reno&country=US"
                _ = try await client.send(.post, "/monica/api/addresses", home, headers: Self.form)
            }
            let http = HTTPClient(HTTPClient.Options(userAgent: "Waypost/test"))
            let url = try #require(HTTPURL("http://127.0.0.1:\(client.port)/monica"))
            let token = try #require(client.client.tokens["reader"])
            var pages = MonicaServer(url: url, token: token, http: http).pages()
            var friends: [Friend] = []
            while let entries = try await pages.next() {
                for case .contact(_, let friend) in entries { friends.append(friend) }
            }
            await http.close()
            #expect(friends.map(\.name) == ["Ada", "Bob"])
            #expect(friends.allSatisfy { $0.sourceKey.hasPrefix("monica:") && $0.sourceKey.utf8.count == 43 })
            #expect(friends.allSatisfy { $0.addresses.map(\.address.street) == ["1 Main St"] })
        }
    }

    @Test func `a request over the account's share is refused with Monica's code and text`() throws {
        let error = RequestError(status: 429, detail: "Come later.", monicaCode: 34, headers: ["Retry-After": "1"])
        let answer = ErrorForm.contacts(.monica).response(error)
        #expect(answer.headers["Retry-After"] == "1")
        #expect(
            String(decoding: answer.bytes, as: UTF8.self)
                == #"{"error":{"message":"Too many attempts, please slow down the request","error_code":34}}"#)
    }
}
