import Geocoding

/// A service that answers one question per call.
protocol OneByOneProvider: HTTPProvider {
    /// Returns the answer to an address, which is never blank.
    func answer(to query: Query) async throws(ProviderError) -> Answer

    /// Returns the answer to a coordinate. Called only if the terms permit reverse geocoding.
    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer
}

extension OneByOneProvider {
    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        var answers: [Answer] = []
        for query in queries {
            // Services reply to a blank address with an error, and count the call.
            guard !query.address.isEmpty else {
                answers.append(.refused(reason: "the address is empty"))
                continue
            }
            try await answers.append(answer(to: query))
        }
        return answers
    }

    package func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        var answers: [Answer] = []
        for coordinate in coordinates { try await answers.append(answer(at: coordinate)) }
        return answers
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer { cannotReverse }

    var cannotReverse: Answer { .refused(reason: "\(name) has no reverse geocoding") }
}
