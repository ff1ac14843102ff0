import Geocoding

/// A service that answers one question a call.
protocol OneByOneProvider: HTTPProvider {
    /// What it knows of an address, which is never blank.
    func answer(to query: Query) async throws(ProviderError) -> Answer

    /// What it knows at a coordinate; called only if its terms say that it can reverse.
    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer
}

extension OneByOneProvider {
    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        var answers: [Answer] = []
        for query in queries {
            // Services answer a blank one with an error, and count the call.
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
