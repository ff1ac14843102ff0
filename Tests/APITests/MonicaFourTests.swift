import DatabaseTesting
import Foundation
import JSON
import Postgres
import Testing

@testable import API

/// Requests over a socket, as clients written for Monica 4.1.2 send them.
@Suite(.database)
struct MonicaFourTests {
    private let form = "application/x-www-form-urlencoded"
    private let ada =
        "first_name=Ada&last_name=Lovelace&nickname=&is_birthdate_known=0&is_deceased=0&is_deceased_date_known=0"

    /// Adds a contact and returns its id.
    private func contact(_ server: APISocket) async throws -> Int {
        let added = try await server.send("POST", "/monica/api/contacts", text: ada, type: form)
        #expect(added.status == 201, "\(added.body)")
        return try #require(Int(exactly: added.at("data", "id")?.number ?? 0))
    }

    @Test func `a form body does the same as a JSON body`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            let id = try await contact(server)
            let read = try await server.send("GET", "/monica/api/contacts/\(id)")
            #expect(try read.at("data", "complete_name") == .text("Ada Lovelace"))
            #expect(try read.at("data", "nickname") == .null)
            let changed = try await server.send(
                "PUT", "/monica/api/contacts/\(id)",
                text:
                    #"{"first_name":" Augusta ","last_name":"","is_birthdate_known":false,"is_deceased_date_known":0}"#
            )
            #expect(try changed.at("data", "complete_name") == .text("Augusta"))

            let address = "contact_id=\(id)&name=home&street=M%C3%A4kel%C3%A4nkatu+1&city=Helsinki&country=FI&province="
            let added = try await server.send("POST", "/monica/api/addresses", text: address, type: form)
            #expect(added.status == 201)
            #expect(try added.at("data", "street") == .text("Mäkelänkatu 1"))
            #expect(try added.at("data", "province") == .null)
            let json = try await server.send(
                "POST", "/monica/api/addresses", text: #"{"contact_id":"\#(id)","city":"Reno","country":"US"}"#)
            #expect(json.status == 201)
            let broken = try await server.send("POST", "/monica/api/addresses", text: "contact_id=%FF", type: form)
            #expect(broken.status == 400)
            #expect(try broken.at("error", "error_code") == .number(37))
            // The other base path accepts no forms.
            #expect(try await server.send("POST", "/api/contacts", text: ada, type: form).status == 415)
        }
    }

    @Test func `countries are an object by lowercase codes in the order of names, with texts as ids`()
        async throws
    {
        try await APISocket.serving(APIClient.test()) { server in
            let answer = try await server.send("GET", "/monica/api/countries")
            let germany: JSONValue = .object([
                "id": .text("DE"), "object": .text("country"), "name": .text("Germany"), "iso": .text("DE"),
            ])
            #expect(try answer.at("data", "de") == germany)
            #expect(try answer.at("data")?.object?.count == 250)
            #expect(
                answer.body.hasPrefix(
                    #"{"data":{"af":{"id":"AF","object":"country","name":"Afghanistan","iso":"AF"},"ax":"#))

            let id = try await contact(server)
            for (country, expected) in [("DE", germany), ("deu", germany), ("", .null)] {
                let added = try await server.send(
                    "POST", "/monica/api/addresses", text: "contact_id=\(id)&city=Ulm&country=\(country)", type: form)
                #expect(try added.at("data", "country") == expected, "\(country)")
            }
            // `country_id` of the other base path is ignored here, as Monica ignores it.
            let other = try await server.send(
                "POST", "/monica/api/addresses", text: "contact_id=\(id)&city=Ulm&country_id=276", type: form)
            #expect(try other.at("data", "country") == .null)
        }
    }

    @Test func `contacts and addresses have unique ids that never change`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            let ids = [try await contact(server), try await contact(server)]
            let body = "contact_id=\(ids[0])&city=Ulm"
            let address = try await server.send("POST", "/monica/api/addresses", text: body, type: form)
            var seen: [String] = []
            for id in ids {
                let read = try await server.send("GET", "/monica/api/contacts/\(id)")
                for name in ["uuid", "hash_id"] { seen.append(try #require(read.at("data", name)?.text)) }
                #expect(try #/h:[A-Za-z0-9]{18}/#.wholeMatch(in: seen.last ?? "") != nil)
            }
            #expect(try address.at("data", "contact", "uuid") == .text(seen[0]))
            #expect(try address.at("data", "contact", "hash_id") == .text(seen[1]))
            seen.append(try #require(address.at("data", "uuid")?.text))
            #expect(Set(seen).count == 5)
            #expect(UUID(uuidString: seen[0]) != nil && UUID(uuidString: seen[4]) != nil)
            #expect(seen.filter { $0.contains("-") }.allSatisfy { $0.dropFirst(14).first == "8" })

            // The same id in another account or on another server gives another uuid.
            let made = "2026-11-22T10:00:00Z"
            let one = MonicaID(of: "contact", 1, account: 1, made: made)
            #expect(one.uuid == MonicaID(of: "contact", 1, account: 1, made: made).uuid)
            #expect(one.uuid != MonicaID(of: "contact", 1, account: 2, made: made).uuid)
            #expect(one.uuid != MonicaID(of: "contact", 1, account: 1, made: "2026-11-22T10:00:01Z").uuid)
        }
    }

    @Test func `/me returns the account`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            let me = try await server.send("GET", "/monica/api/me")
            #expect(me.status == 200)
            #expect(try me.at("data", "object") == .text("user"))
            #expect(try me.at("data", "name") == .text("default"))
            #expect(try me.at("data", "account", "id") == me.at("data", "id"))
            #expect(try me.at("data", "me_contact") == .null)
        }
    }

    @Test func `a deletion returns a contact's id as text and an address's id as a number`()
        async throws
    {
        try await APISocket.serving(APIClient.test()) { server in
            let id = try await contact(server)
            let body = "contact_id=\(id)&city=Ulm"
            let address = try await server.send("POST", "/monica/api/addresses", text: body, type: form)
            let number = try #require(address.at("data", "id")?.number)
            let gone = try await server.send("DELETE", "/monica/api/addresses/\(Int(number))")
            #expect(try JSONValue(parsing: gone.bytes) == .object(["deleted": .bool(true), "id": .number(number)]))
            let removed = try await server.send("DELETE", "/monica/api/contacts/\(id)")
            #expect(try JSONValue(parsing: removed.bytes) == .object(["deleted": .bool(true), "id": .text("\(id)")]))
        }
    }

    @Test func `pages have Monica's fifteen items and its row of links`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            for _ in 0..<16 { _ = try await contact(server) }
            let page = try await server.send("GET", "/monica/api/contacts?page=2")
            let base = try #require(page.at("meta", "path")?.text)
            #expect(base.hasSuffix("/monica/api/contacts"))
            #expect(try page.at("links", "prev") == .text("\(base)?page=1"))
            #expect(try page.at("data")?.list?.count == 1)
            #expect(try page.at("meta", "per_page") == .number(15))
            func button(_ label: String, _ url: String?, active: Bool = false) -> JSONValue {
                .object(["url": url.map { .text($0) } ?? .null, "label": .text(label), "active": .bool(active)])
            }
            #expect(
                try page.at("meta", "links")
                    == .list([
                        button("❮ Previous", "\(base)?page=1"), button("1", "\(base)?page=1"),
                        button("2", "\(base)?page=2", active: true), button("Next ❯", nil),
                    ]))
            #expect(try page.at("data", "0", "url")?.text?.hasPrefix("\(base)/") == true)
            for odd in ["page=0", "page=x", "page=", "limit=", "limit=0"] {
                let first = try await server.send("GET", "/monica/api/contacts?\(odd)")
                #expect(try first.at("data")?.list?.count == 15, "\(odd)")
                #expect(try first.at("meta", "current_page") == .number(1))
            }
            let found = try await server.send("GET", "/monica/api/contacts?query=ada&limit=2&sort=-updated_at")
            #expect(try found.at("meta", "query") == .text("ada"))
            #expect(try found.at("links", "next")?.text?.hasSuffix("/contacts?page=2") == true)
            let more = try await server.send("GET", "/monica/api/contacts?with=contactfields&limit=1")
            #expect(try more.at("data", "0", "contactFields") == .list([]))
            #expect(try found.at("data", "0", "contactFields") == nil)
        }
    }

    @Test(arguments: [
        (1, 1, "1"), (2, 3, "1 2 3"), (13, 13, "1 2 3 4 5 6 7 8 9 10 11 12 13"),
        (1, 14, "1 2 3 4 5 6 7 8 9 10 … 13 14"), (7, 30, "1 2 3 4 5 6 7 8 9 10 … 29 30"),
        (8, 30, "1 2 … 5 6 7 8 9 10 11 … 29 30"), (23, 30, "1 2 … 20 21 22 23 24 25 26 … 29 30"),
        (24, 30, "1 2 … 21 22 23 24 25 26 27 28 29 30"), (99, 30, "1 2 … 21 22 23 24 25 26 27 28 29 30"),
    ])
    func `the row of links shows the first, last and neighbouring pages`(current: Int, last: Int, row: String) {
        let pages = MonicaPageLinks(current: current, last: last).pages
        #expect(pages.map { $0.map { "\($0)" } ?? "…" }.joined(separator: " ") == row)
    }

    @Test func `errors have Monica's form`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            func error(_ message: JSONValue, _ code: Double) -> JSONValue {
                .object(["error": .object(["message": message, "error_code": .number(code)])])
            }
            let stranger = try await server.send("GET", "/monica/api/contacts", token: "stolen")
            #expect(stranger.status == 401)
            #expect(stranger.body == #"{"message":"Unauthenticated."}"#)
            let missing = try await server.send("GET", "/monica/api/contacts/999999")
            #expect(missing.status == 404)
            #expect(try JSONValue(parsing: missing.bytes) == error(.text("The resource has not been found"), 31))
            for (query, code, message) in [
                ("limit=101", 30.0, "The limit parameter is too big"),
                ("limit=x", 30, "The limit parameter is too big"),
                ("sort=name", 39, "The sorting criteria is invalid"), ("sort=", 39, "The sorting criteria is invalid"),
            ] {
                let answer = try await server.send("GET", "/monica/api/contacts?\(query)")
                #expect(answer.status == 400)
                #expect(try JSONValue(parsing: answer.bytes) == error(.text(message), code))
            }
            let empty = try await server.send(
                "POST", "/monica/api/contacts", text: "nickname=\(String(repeating: "x", count: 256))", type: form)
            #expect(empty.status == 422)
            #expect(
                try JSONValue(parsing: empty.bytes)
                    == error(
                        .list([
                            .text("The first name field is required."),
                            .text("The nickname may not be greater than 255 characters."),
                            .text("The is birthdate known field is required."),
                            .text("The is deceased field is required."),
                            .text("The is deceased date known field is required."),
                        ]), 32))
            let wrong = try await server.send(
                "POST", "/monica/api/addresses", text: #"{"contact_id":"x","city":7,"country":"Finland"}"#)
            #expect(
                try wrong.at("error", "message")
                    == .list([
                        .text("The contact id must be an integer."), .text("The city must be a string."),
                        .text("The country may not be greater than 3 characters."),
                    ]))
            let nobody = try await server.send(
                "POST", "/monica/api/addresses", text: "contact_id=999999&city=Ulm", type: form)
            #expect(nobody.status == 422)
            #expect(try nobody.at("error", "message", "0") == .text("The selected contact id is invalid."))
            let broken = try await server.send("POST", "/monica/api/contacts", text: "{")
            #expect(broken.status == 400)
            #expect(try JSONValue(parsing: broken.bytes) == error(.text("Problems parsing JSON"), 37))
            let nothing = try await server.send("DELETE", "/monica/api/addresses/999999")
            #expect(nothing.status == 422)
            #expect(try nothing.at("error", "message", "0") == .text("The selected address id is invalid."))
        }
    }

    @Test func `initials are from all words that begin with a letter or digit, without accents`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            let added = try await server.send(
                "POST", "/monica/api/contacts", text: ada.replacing("Lovelace", with: "%C3%98sten+(work)+von+%C3%9C+7"),
                type: form)
            #expect(try added.at("data", "initials") == .text("AOvU7"))
        }
    }

    @Test func `names left out of a change stay, also a middle name`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            let id = try await contact(server)
            func name(after fields: String) async throws -> JSONValue? {
                let flags = "&is_birthdate_known=0&is_deceased_date_known=0"
                let answer = try await server.send(
                    "PUT", "/monica/api/contacts/\(id)", text: fields + flags, type: form)
                return try answer.at("data", "complete_name")
            }
            #expect(try await name(after: "first_name=Ada&middle_name=King") == .text("Ada King Lovelace"))
            #expect(try await name(after: "first_name=Eve") == .text("Eve King Lovelace"))
            #expect(try await name(after: "first_name=Eve&last_name=") == .text("Eve King"))
            #expect(try await name(after: "first_name=Eve&middle_name=&last_name=Byron") == .text("Eve Byron"))
            #expect(try await name(after: "first_name=Ada") == .text("Ada Byron"))
        }
    }

    @Test func `a change of an address must name its contact, and a refused one changes nothing`() async throws {
        try await APISocket.serving(APIClient.test()) { server in
            let (id, other) = (try await contact(server), try await contact(server))
            let added = try await server.send(
                "POST", "/monica/api/addresses", text: "contact_id=\(id)&city=Ulm", type: form)
            let target = "/monica/api/addresses/\(Int(try added.at("data", "id")?.number ?? 0))"
            #expect(try await server.send("PUT", target, text: "city=Bonn", type: form).status == 422)
            #expect(
                try await server.send("PUT", target, text: "contact_id=\(other)&city=Bonn", type: form).status == 404)
            #expect(
                try await server.send("PUT", target, text: "contact_id=999999&city=Bonn", type: form).status == 422)
            #expect(try await server.send("GET", target).at("data", "city") == .text("Ulm"))
            #expect(try await server.send("PUT", target, text: "contact_id=\(id)&city=Bonn", type: form).status == 200)
            #expect(try await server.send("GET", target).at("data", "city") == .text("Bonn"))
        }
    }
}
