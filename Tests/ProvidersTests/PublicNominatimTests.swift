import Geocoding
import HTTP
import HTTPTesting
import Processes
import Testing

@testable import Providers

/// No test here may call the public server: each client sends its requests to a server of the test instead.
struct PublicNominatimTests {
    /// The name of the host, as it may be written.
    static let spellings = [
        "nominatim.openstreetmap.org", "NOMINATIM.OpenStreetMap.ORG", "nominatim.openstreetmap.org.",
        "nominatim.openstreetmap.org:443", "nominatim.openstreetmap.org:8080", "%6eominatim.openstreetmap.org",
        "nominatim.osm.org", "nominatim.openstreetmap.net", "nominatim.openmaps.org",
        "qgis.nominatim.openstreetmap.org",
        "nominatim.qgis.org", "dulcy.openstreetmap.org", "ｎｏｍｉｎａｔｉｍ.openstreetmap.org",
        "nominatim。openstreetmap。org", "nomi\u{AD}natim.openstreetmap.org",
    ]

    private typealias Maker = @Sendable (HTTPURL, HTTPClient) -> any GeocodingProvider

    private static let makers: [Maker] = [
        { NominatimProvider(server: $0, language: "en", http: $1) },
        { PhotonProvider(server: $0, http: $1) },
        { PeliasProvider(server: $0, key: nil, http: $1) },
        { MapboxProvider(key: "secret", permanent: false, http: $1, server: $0) },
    ]

    @Test(arguments: spellings)
    func `a provider refuses the public server before a request is sent`(host: String) async throws {
        // A URL that can't be read leads nowhere.
        guard let url = HTTPURL("https://\(host)/search") else { return }
        let sent = Locked(0)
        let local = try ScriptedServer { _ in .json("[]") }
        defer { local.stop() }
        let elsewhere = HTTPRequest(.get, try #require(HTTPURL(local.url)))
        var options = HTTPClient.Options(userAgent: "Waypost")
        options.witness = { _ in
            sent.withLock { $0 += 1 }
            return (elsewhere, { _ in })
        }
        let client = HTTPClient(options)
        for make in Self.makers {
            await expectRefusal { try await make(url, client).geocode([Query(.spread, form: .freeForm)]) }
            await expectRefusal { try await make(url, client).reverseGeocode([ProviderContract.Trial.onEarth]) }
        }
        await client.close()
        #expect(sent.withLock { $0 } == 0)
    }

    @Test(arguments: [true, false])
    func `a redirect to the public server is refused with what to do instead`(isCall: Bool) async throws {
        let target = "https://nominatim.openstreetmap.org/search?q=secret"
        let server = try ScriptedServer { _ in .redirect(to: target, status: 302) }
        defer { server.stop() }
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = NominatimProvider(server: try #require(HTTPURL(server.url)), language: "en", http: client)
        // Only a call of a worker has a departure.
        await Departure.$current.withValue(isCall ? Departure() : nil) {
            await expectRefusal { try await provider.geocode([Query(.spread)]) }
        }
        await client.close()
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        "nominatim.example.org", "osm.org.example.org", "notopenstreetmap.org", "openstreetmap.org.example.org",
        "nominatim.openstreetmap.fr", "localhost", "127.0.0.1", "photon.komoot.io", "nominatim", "",
    ])
    func `other servers are not refused`(host: String) {
        #expect(!PublicNominatim.isHost(host))
    }

    @Test(arguments: ["search", "reverse"])
    func `a description can't name the public server`(member: String) throws {
        let text = try recorded("descriptions", "photon")
            .replacing("\"\(member)\": \"SERVER", with: "\"\(member)\": \"https://nominatim.openstreetmap.org")
            .replacing("SERVER", with: "http://localhost")
        do {
            _ = try GenericProvider.Description(json: Array(text.utf8), key: "k")
            Issue.record("the description was accepted")
        } catch {
            #expect(error.mistakes.contains("\(member) \(PublicNominatim.refusal)"), "\(error)")
        }
    }

    @Test(arguments: ["https://nominatim.openstreetmap.org", "https://nominatim.openstreetmap.org./"])
    func `an app's provider refuses it too`(server: String) async throws {
        let provider = ClusterProvider(server: server, token: "t") { _ in
            Issue.record("a request was sent")
            return ClusterReply(status: 500, headers: [:], body: [])
        }
        await expectRefusal { try await provider.geocode([Query(.spread)]) }
    }

    private func expectRefusal(_ call: () async throws -> [Answer]) async {
        do {
            let answers = try await call()
            Issue.record("the answer was \(answers)")
        } catch {
            guard let error = error as? ProviderError, case .unauthorized(let reason) = error else {
                Issue.record("the error was \(error)")
                return
            }
            #expect(reason.contains("usage policy") && reason.contains("of your own"))
            #expect(!reason.contains("secret"))
        }
    }
}
