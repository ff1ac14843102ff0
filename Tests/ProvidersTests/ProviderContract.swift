import ExtremesTesting
import Geocoding
import HTTP
import HTTPTesting
import Processes
import Testing

/// The required results of every HTTP provider for each kind of reply, including hostile ones.
///
///     @Test(arguments: ProviderContract.Trial.all)
///     func `keeps the contract`(trial: ProviderContract.Trial) async throws { try await contract.check(trial) }
struct ProviderContract: Sendable {
    /// Makes the provider for a server, with the key "secret" if it needs one.
    var make: @Sendable (HTTPURL, HTTPClient) -> any GeocodingProvider
    /// A reply with ``candidate``, which must come first.
    var found: String
    var candidate: Candidate
    var notFound: ScriptedAnswer
    /// The body ``found`` with this latitude and longitude, written as in JSON.
    var bodyAt: @Sendable (_ latitude: String, _ longitude: String) -> String
    /// The service's reply when the quota is used up.
    var quota: ScriptedAnswer = .status(402)

    var query = Query(Address(street: "Secretstreet 1", city: "Secretville", country: "Finland"))

    /// The port of a server that no request may reach. Only a check sets it.
    private(set) var strangersPort = 0

    enum Expected: Sendable {
        case found, notFound, refused, unavailable, unauthorized, quota, anything
        case located(Coordinate)
        case busy(Duration)
    }

    enum Question: Sendable {
        case address
        /// No request may be sent for it.
        case blankAddress
        /// No request may be sent for it if the terms exclude reverse queries.
        case coordinate
    }

    struct Trial: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: Expected
        let question: Question
        let timeLimit: Duration
        let answer: @Sendable (ProviderContract) -> ScriptedAnswer
        var testDescription: String { name }

        init(
            _ name: String, _ expected: Expected, asking question: Question = .address,
            within timeLimit: Duration = .seconds(30),
            _ answer: @escaping @Sendable (ProviderContract) -> ScriptedAnswer
        ) {
            self.name = name
            self.expected = expected
            self.question = question
            self.timeLimit = timeLimit
            self.answer = answer
        }
    }

    func check(_ trial: Trial) async throws {
        if case .anything = trial.expected { return try await checkExtremeNumbers() }
        // A client that follows a redirect to this server finds the candidate, and reveals the key.
        let stranger = try ScriptedServer { _ in .json(found) }
        defer { stranger.stop() }
        var stage = self
        stage.strangersPort = stranger.port
        let server = try ScriptedServer { [stage] _ in trial.answer(stage) }
        defer { server.stop() }
        var options = HTTPClient.Options(userAgent: "Waypost")
        options.totalLimit = trial.timeLimit
        let client = HTTPClient(options)
        let provider = make(try #require(HTTPURL(server.url)), client)
        let result = await call(provider, trial.question)
        await client.close()
        let isAsked = trial.question == .address || trial.question == .coordinate && provider.terms.canReverse
        #expect(meets(result, isAsked ? trial.expected : .refused), "\(result)")
        if !isAsked { #expect(server.requests.isEmpty) }
        #expect(stranger.requests.isEmpty)
        if case .failure(let error) = result {
            #expect(!"\(error)".lowercased().contains("secret"))
            #expect(!"\(error)".contains("60.5"))
        }
    }

    private func checkExtremeNumbers() async throws {
        let waits = Extremes.numbers.map {
            ScriptedAnswer.status(429, [("Retry-After", $0), ("X-RateLimit-Reset", $0)])
        }
        let answers = Extremes.variants(of: found, each: 4).map { ScriptedAnswer.json($0) } + waits
        let next = Locked(answers[...])
        let server = try ScriptedServer { _ in next.withLock { $0.popFirst() } ?? .status(500) }
        defer { server.stop() }
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = make(try #require(HTTPURL(server.url)), client)
        while !next.withLock(\.isEmpty) {
            if case .success(let answers) = await call(provider, .address) { #expect(answers.count == 1) }
        }
        await client.close()
    }

    private func call(
        _ provider: any GeocodingProvider, _ question: Question
    ) async -> Result<[Answer], ProviderError> {
        do throws(ProviderError) {
            switch question {
            case .address: return .success(try await provider.geocode([query]))
            case .blankAddress: return .success(try await provider.geocode([Query(Address(street: " \n"))]))
            case .coordinate: return .success(try await provider.reverseGeocode([Trial.onEarth]))
            }
        } catch {
            return .failure(error)
        }
    }

    private func meets(_ result: Result<[Answer], ProviderError>, _ expected: Expected) -> Bool {
        switch (result, expected) {
        case (.success(let answers), .found):
            guard answers.count == 1, case .found(let candidates) = answers[0] else { return false }
            return candidates.first == candidate
        case (.success(let answers), .located(let coordinate)):
            guard answers.count == 1, case .found(let candidates) = answers[0] else { return false }
            return candidates.first?.placemark.coordinate == coordinate
        case (.success(let answers), .notFound): return answers == [.notFound]
        case (.success(let answers), .refused):
            guard answers.count == 1, case .refused(let reason) = answers[0] else { return false }
            return !reason.lowercased().contains("secret")
        case (.failure(.unavailable), .unavailable), (.failure(.unauthorized), .unauthorized),
            (.failure(.quotaExhausted), .quota):
            return true
        case (.failure(.busy(let delay)), .busy(let expected)): return delay == expected
        default: return false
        }
    }

    func checkNobodyListening() async throws {
        let server = try DeafServer()
        server.stop()
        let client = HTTPClient(HTTPClient.Options(userAgent: "Waypost"))
        let provider = make(try #require(HTTPURL(server.url)), client)
        let result = await call(provider, .address)
        await client.close()
        #expect(meets(result, .unavailable), "\(result)")
    }
}
