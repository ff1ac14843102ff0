import Geocoding
import HTTP
import HTTPTesting
import Testing

@testable import Providers

struct FailureDigestTests {
    /// The error of a call with this reply.
    private func failure(_ answer: ScriptedAnswer) async throws -> ProviderError? {
        let address = Address(street: "Geheimweg 5", city: "Musterstadt", postcode: "12345", country: "DE")
        do {
            _ = try await Conversation(
                with: { NominatimProvider(server: $0, language: "en", http: $1) }, answering: answer
            ) { try await $0.geocode([Query(address)]) }
            return nil
        } catch let error as ProviderError { return error }
    }

    @Test func `a failure has the status, a note about an HTML page, and a refusal's first words`() async throws {
        let page = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
        #expect(try await failure(.status(500)) == .unavailable(reason: "nominatim answered 500"))
        #expect(
            try await failure(.json(page, status: 502, type: "text/html"))
                == .unavailable(reason: "nominatim answered 502 with an HTML page: gateway"))
        #expect(
            try await failure(.json("\n <html><title>Login required</title></html>", type: "text/html"))
                == .unavailable(reason: "nominatim answered 200 with an HTML page: login required"))
        let blocked =
            "Access blocked: see https://operations.osmfoundation.org/policies/nominatim/ for the usage policy."
        #expect(
            try await failure(.json(blocked, status: 403, type: "text/plain"))
                == .unauthorized(reason: "nominatim answered 403: access blocked … https … for the usage policy"))
        #expect(
            try await failure(.json(#"{"error": {"code": 403, "message": "Your API key is not valid."}}"#, status: 403))
                == .unauthorized(reason: "nominatim answered 403: api key is not valid"))
    }

    @Test(arguments: [400, 403, 404, 500, 502])
    func `a failure contains nothing of an address or a coordinate`(status: Int) async throws {
        let bodies = [
            "No result for Geheimweg 5, 12345 Musterstadt",
            #"{"message": "invalid request: q=Geheimweg%205 Musterstadt lat=48.1371 lon=11.5754"}"#,
            "<html><title>Error: Geheimweg 5 in Musterstadt not found (48.1371, 11.5754)</title></html>",
            "Found instead: Kirchgasse 7, Oberdorf",
        ]
        for body in bodies {
            let words = FailureDigest.words(of: HTTPResponse(status: status, body: Array(body.utf8)))
            let rest = words.dropFirst("answered \(status)".count).lowercased()
            for secret in ["geheimweg", "musterstadt", "kirchgasse", "oberdorf"] { #expect(!rest.contains(secret)) }
            #expect(!rest.contains { $0.isNumber }, "\(words)")
        }
    }

    @Test func `a long message is cut, and one without a known word is left out`() {
        #expect(FailureDigest.digest("Hugo was in the house") == "")
        #expect(
            FailureDigest.digest(String(repeating: "rate limit exceeded ", count: 50)).split(separator: " ").count == 14
        )
    }
}
