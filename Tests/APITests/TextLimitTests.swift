import DatabaseTesting
import Foundation
import HTTP
import JSON
import Testing

@testable import API
@testable import Formats

/// The same text in every form in which a contact or a question is accepted. `UsageTests` has the command line.
@Suite(.database)
struct TextLimitTests {
    /// Characters of two bytes, because the limit counts characters.
    private static let fitting = String(repeating: "é", count: 2_000)

    @Test(arguments: SourceFormat.allCases.filter { !$0.isWorkbook })
    func `in a file, a city of 2,000 characters is accepted and a longer one refused`(format: SourceFormat) throws {
        #expect(try refusal(of: Self.fitting, in: format) == nil)
        #expect(try refusal(of: Self.fitting + "x", in: format)?.hasSuffix(" is longer than 2,000 characters") == true)
    }

    @Test(arguments: [
        ("/v1/geocode", #""city":"#), ("/v1/geocode", #""city":"Reno","street":"#), ("/v1/geocode", #""country":"#),
        ("/v1/geocode", #""city":"Reno","region":"#), ("/v1/geocode", #""city":"Reno","postcode":"#),
        ("/api/contacts", #""first_name":"#), ("/api/contacts", #""first_name":"A","last_name":"#),
        ("/api/contacts", #""first_name":"A","nickname":"#),
        ("/api/addresses", #""contact_id":1,"city":"#), ("/api/addresses", #""contact_id":1,"country":"#),
        ("/api/addresses", #""contact_id":1,"city":"Reno","name":"#),
        ("/api/addresses", #""contact_id":1,"city":"Reno","street":"#),
        ("/api/addresses", #""contact_id":1,"city":"Reno","province":"#),
        ("/api/addresses", #""contact_id":1,"city":"Reno","postal_code":"#),
    ])
    func `in a body, 2,000 characters are accepted and more are refused`(route: String, members: String) async throws {
        let client = try await APIClient.test()
        var members = members
        if route == "/api/addresses" {
            let contact = try await client.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#).at("data", "id")
            members = members.replacing("1,", with: "\(Int(try #require(contact?.number))),", maxReplacements: 1)
        }
        #expect(try await client.send(.post, route, "{\(members)\"\(Self.fitting)\"}").status < 300)
        let answer = try await client.send(.post, route, "{\(members)\"\(Self.fitting)x\"}").expect(422)
        #expect(answer.text.contains("is longer than 2,000 characters\""))
    }

    @Test func `in a stream, a city of 2,000 characters is accepted and a longer one refused`() async throws {
        let client = try await APIClient.test()
        for (city, refused) in [(Self.fitting, 0), (Self.fitting + "x", 1)] {
            let answer = try await client.send(
                .put, "/v1/friends?feed=a", Self.text(of: .ndjson, city: city), type: "application/x-ndjson"
            ).expect(has: ["refused": .number(Double(refused))])
            #expect(answer.text.contains("is longer than 2,000 characters\"") == (refused == 1))
        }
    }

    /// The reason for limits of names: an index entry in PostgreSQL has at most 2,700 bytes.
    @Test func `a feed name of 500 characters is accepted and a longer one refused`() async throws {
        let client = try await APIClient.test()
        let name = String(repeating: "🦊", count: 500)
        let fox = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        for (feed, status) in [(fox, 200), (fox + "x", 400)] {
            let answer = try await client.send(
                .put, "/v1/friends?feed=\(feed)", Self.text(of: .ndjson, city: "Reno"), type: "application/x-ndjson")
            #expect(answer.status == status)
            #expect(answer.text.contains("is longer than 500 characters") == (status == 400))
        }
        #expect(try await client.get("/v1/friends?feed=\(fox)").status == 200)
    }

    @Test func `a limit is written with a thousands separator`() {
        #expect(TextLimit(characters: 12_005).refusal == "is longer than 12,005 characters")
        #expect(TextLimit.id.refusal == "is longer than 490 characters")
    }

    private func refusal(of city: String, in format: SourceFormat) throws -> String? {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Self.text(of: format, city: city).utf8).write(to: URL(filePath: path))
        var reader = try format.reader(path: path, options: ReadingOptions())
        var (contacts, reasons) = (0, [String]())
        while let entry = try reader.next() {
            switch entry {
            case .contact: contacts += 1
            case .refused(_, let reason), .noted(_, let reason): reasons.append(reason)
            }
        }
        #expect(contacts + reasons.count == 1)
        return reasons.first
    }

    private static func text(of format: SourceFormat, city: String) -> String {
        switch format {
        case .csv, .xlsx, .ods: "name,city\nAda,\(city)\n"
        case .vCard: "BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nADR:;;;\(city);;;\nEND:VCARD\n"
        case .geoJSON: #"{"type":"Feature","properties":{"name":"Ada","city":"\#(city)"},"geometry":null}"#
        case .ndjson: #"{"key":"a","name":"Ada","addresses":[{"city":"\#(city)"}]}"#
        case .monica:
            """
            {"version":1,"account":{"data":[{"type":"contact","values":[{"uuid":"a","properties":{"first_name":"Ada"},\
            "data":[{"type":"address","values":[{"properties":{"city":"\(city)"}}]}]}]}]}}
            """
        }
    }
}
