import Foundation
import Geocoding
import HTTPTesting
import Testing

@testable import Providers

/// The provider in docs/providers.md is this one, and it keeps the contract of all providers.
struct ExampleTests {
    @Test(arguments: ProviderContract.Trial.all)
    func `the provider keeps the contract of providers`(trial: ProviderContract.Trial) async throws {
        try await contract().check(trial)
    }

    private func contract() throws -> ProviderContract {
        let coordinate = try #require(Coordinate(latitude: 60.17, longitude: 24.94))
        let house = Placemark(
            coordinate: coordinate, thoroughfare: "Katu", subThoroughfare: "1", locality: "Helsinki",
            postalCode: "00100", countryCode: "FI")
        return ProviderContract(
            make: { AtlasProvider(server: $0, key: "secret", http: $1) },
            found: #"""
                [{"lat": "60.17", "lon": 24.94, "street": "Katu", "number": "1", "city": "Helsinki", "zip": "00100",
                  "country": "FI"}]
                """#,
            candidate: Candidate(house, .rooftop), notFound: .json("[]"),
            bodyAt: { #"[{"lat": \#($0), "lon": \#($1)}]"# })
    }

    @Test func `the document contains exactly this provider, in fewer than fifty lines`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let document = try String(contentsOf: folder.appending(path: "../../docs/providers.md"), encoding: .utf8)
        let file = try String(contentsOf: folder.appending(path: "ExampleProvider.swift"), encoding: .utf8)
        let code = try #require(file.firstRange(of: "/// Calls")).lowerBound
        let provider = String(file[code...])
        #expect(document.contains(provider))
        #expect(provider.split(separator: "\n", omittingEmptySubsequences: false).count < 50)
    }
}
