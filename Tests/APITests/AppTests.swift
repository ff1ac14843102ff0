import DatabaseTesting
import Foundation
import Geocoding
import HTTP
import JSON
import Postgres
import Processes
import Testing

@testable import API

/// An app with the library `Geocoding`, and a real server.
@Suite(.database)
struct AppTests {
    private let reno = Address(street: "1 Main St", city: "Reno", region: "NV", country: "US")

    private func provider(
        _ server: APIClient, token: String? = nil, patience: Duration = .seconds(30),
        requests: Locked<[ClusterRequest]> = Locked([])
    ) -> ClusterProvider {
        let token = token ?? server.tokens["everything"] ?? ""
        return ClusterProvider(server: "http://localhost/", token: token, patience: patience) { request in
            requests.withLock { $0.append(request) }
            var server = server
            server.token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
            let answer = try await server.send(
                #require(ServerRequest.Method(rawValue: request.method)),
                String(request.url.dropFirst("http://localhost".count)),
                request.body.map { String(decoding: $0, as: UTF8.self) })
            return ClusterReply(
                status: answer.status,
                headers: Dictionary(answer.headers.fields.map { ($0.name, $0.value) }) { first, _ in first },
                body: answer.bytes)
        }
    }

    @Test func `the cluster as a provider: it asks, waits as told, and returns the answers`() async throws {
        try await APIClient.serving { server in
            let requests = Locked<[ClusterRequest]>([])
            var provider = provider(server, requests: requests)
            let pauses = Locked<[Duration]>([])
            provider.pause = { pause in
                pauses.withLock { $0.append(pause) }
                try await Database.test.run { try $0.locateAll(with: Self.names) }
            }
            let answers = try await provider.geocode([Query(reno), Query(reno)])
            let place = try #require(Coordinate(latitude: 39.5, longitude: -119.8))
            var placemark = Placemark(coordinate: place)
            Self.names(&placemark)
            #expect(answers == [Answer](repeating: .located(placemark, .rooftop, score: 0.9), count: 2))
            #expect(pauses.withLock { $0 } == [.seconds(1)])
            #expect(requests.withLock { $0.map(\.url) } == Array(repeating: "http://localhost/v1/geocode", count: 3))
        }
    }

    @Test func `a question that the cluster doesn't answer in time is busy and keeps waiting there`() async throws {
        try await APIClient.serving { server in
            var provider = provider(server, patience: .seconds(3))
            let pauses = Locked(0)
            provider.pause = { _ in pauses.withLock { $0 += 1 } }
            await #expect(throws: ProviderError.busy(retryAfter: .seconds(1))) {
                try await provider.geocode([Query(reno)])
            }
            #expect(pauses.withLock { $0 } == 3)
            let waiting = try await provider.standing(of: reno)
            #expect(waiting.status == .waiting)
            try await Database.test.run { try $0.locateAll() }
            let found = try await provider.standing(of: reno)
            #expect(found.place?.provider == "gazetteer")
        }
    }

    @Test func `a coordinate near zero is sent without an exponent`() async throws {
        try await APIClient.serving { server in
            let requests = Locked<[ClusterRequest]>([])
            let provider = provider(server, patience: .zero, requests: requests)
            let place = try #require(Coordinate(latitude: -0.000_012_3, longitude: 179.999_999_99))
            await #expect(throws: ProviderError.busy(retryAfter: .seconds(1))) {
                try await provider.reverseGeocode([place])
            }
            #expect(
                requests.withLock { $0.first?.url }
                    == "http://localhost/v1/reverse?latitude=-0.0000123&longitude=180.0000000")
        }
    }

    @Test func `a refusal by the cluster is an answer; a bad token or a lost reply is an error`() async throws {
        try await APIClient.serving { server in
            let refused = try await provider(server).geocode([Query(Address(postcode: "89501"))])
            #expect(refused == [.refused(reason: "the cluster refused the question with status 422")])
            await #expect(throws: ProviderError.unauthorized(reason: "the cluster refused the token with status 401")) {
                try await provider(server, token: "wp_1_wrong").geocode([Query(reno)])
            }
            let silent = ClusterProvider(server: "http://localhost", token: "t") { _ in throw CancellationError() }
            await #expect(throws: ProviderError.unavailable(reason: "no reply came from the cluster")) {
                try await silent.geocode([Query(reno)])
            }
        }
    }

    @Test func `the library and the API use the same JSON for an address and a place`() async throws {
        try await APIClient.serving { server in
            // The library's JSON of an address is a valid body of the API.
            try await server.send(.post, "/v1/geocode", String(decoding: JSONEncoder().encode(reno), as: UTF8.self))
                .expect(202)
            try await Database.test.run { try $0.locateAll(with: Self.names) }
            let answer = try await server.send(
                .post, "/v1/geocode", String(decoding: JSONEncoder().encode(reno), as: UTF8.self))
            let found = try #require(try answer.at("place"))
            let standing = try JSONDecoder().decode(GeocodeStanding.self, from: Data(answer.bytes))
            #expect(standing.status == .located)
            #expect(standing.place?.placemark.subLocality == "Midtown")

            // Encoded again, it equals the API's JSON, except for the line that the API composes.
            var encoded = try JSONValue(parsing: Array(JSONEncoder().encode(standing.place))).object ?? [:]
            encoded["matched_address"] = found.object?["matched_address"]
            #expect(encoded == found.object?.filter { $0.value != .null })
        }
    }

    @Test func `an app reads the addresses of friends`() async throws {
        try await APIClient.serving { server in
            let added = try await server.send(.post, "/api/contacts", #"{"first_name":"Ada"}"#)
            let id = try Int(#require(added.at("data", "id")?.number))
            for (label, street) in [("home", "1 Main St"), ("", "2 Oak St")] {
                let body =
                    #"{"contact_id":\#(id),"name":"\#(label)","street":"\#(street)","city":"Reno","country":"US"}"#
                _ = try await server.send(.post, "/api/addresses", body)
                if label == "home" { try await Database.test.run { try $0.locateAll(with: Self.names) } }
            }
            let answer = try await server.send(.get, "/v1/friends/\(id)")
            let addresses = try JSONDecoder().decode(Friend.self, from: Data(answer.bytes)).addresses
            #expect(addresses.map(\.displayLabel) == ["home", "Address"])
            #expect(addresses.map(\.status) == [.located, .waiting])
            #expect(addresses.map(\.address.street) == ["1 Main St", "2 Oak St"])
            #expect(addresses.map(\.countryCode) == ["US", "US"])
            #expect(addresses.map(\.coordinate) == [Coordinate(latitude: 39.5, longitude: -119.8), nil])
            let again = try JSONDecoder().decode([FriendAddress].self, from: JSONEncoder().encode(addresses))
            #expect(again == addresses)
            let names = addresses.map { $0.place?.placemark }
            #expect(names[0]?.thoroughfare == "Main Street" && names[0]?.countryName == "United States")
            #expect(names[0]?.subLocality == "Midtown" && names[0]?.postalCode == "89501")
            // The same in a list, in the reader's language; its tag fits a write.
            let german: HTTPHeaders = ["Accept-Language": "de"]
            let list = try await server.get("/v1/friends", headers: german)
            let listed = try JSONDecoder().decode(Friends.self, from: Data(list.bytes)).data[0].addresses
            #expect(listed[0].place?.placemark.countryName == "Vereinigte Staaten")
            #expect(listed[0].place?.placemark.subLocality == "Midtown")
            let one = try await server.get("/v1/friends/\(id)", headers: german).expect(has: [
                "addresses.0.place.country": "Vereinigte Staaten"
            ])
            let tag = try #require(one.headers["ETag"])
            #expect(try await tag != server.get("/v1/friends/\(id)").headers["ETag"])
            #expect(try await server.send(.delete, "/v1/friends/\(id)", headers: ["If-Match": tag]).status == 204)
        }
    }

    @Test func `an app decodes suggested towns as placemarks`() async throws {
        struct Towns: Decodable { let data: [Placemark] }
        let client = try await APIClient.test()
        let answer = try await client.get("/v1/suggest?q=Helsin&country=FI&limit=1", headers: ["Accept-Language": "sv"])
        let town = try #require(JSONDecoder().decode(Towns.self, from: Data(answer.bytes)).data.first)
        let names = [town.name, town.locality, town.administrativeArea, town.countryCode, town.countryName]
        #expect(names == ["Helsinki", "Helsinki", "Uusimaa", "FI", "Finland"])
        #expect(abs(town.coordinate.latitude - 60.17) < 0.01)
    }

    private struct Friends: Decodable {
        let data: [Friend]
    }

    private struct Friend: Decodable {
        let addresses: [FriendAddress]
    }

    private static func names(_ place: inout Placemark) {
        (place.name, place.thoroughfare, place.subThoroughfare) = ("Casino", "Main Street", "1")
        (place.locality, place.subLocality, place.administrativeArea) = ("Reno", "Midtown", "Nevada")
        (place.subAdministrativeArea, place.postalCode) = ("Washoe County", "89501")
        (place.countryCode, place.countryName) = ("US", "United States")
    }
}
