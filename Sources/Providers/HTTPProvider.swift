import FoundationEssentials
import Geocoding
import HTTP

/// A provider that is called over HTTP. The handling of failures is here, so that all such providers fail alike.
protocol HTTPProvider: GeocodingProvider, HTTPCaller {
    /// Returns the meaning of a reply, before its body is read. The default is the usual meaning of its status.
    func signal(of response: HTTPResponse) -> HTTPSignal

    /// Returns when a used-up quota is restored; nil if the reply does not contain it. The default is `Retry-After`.
    func quotaReset(in response: HTTPResponse) -> Duration?
}

/// The meaning of a reply's status. The raw values are the words of descriptions.
enum HTTPSignal: String, CaseIterable {
    /// The body has the result.
    case answered
    case notFound
    /// This query never succeeds.
    case refused
    case unavailable
    /// Too many calls in a time.
    case busy
    case quotaExhausted = "quota"
    case unauthorized

    init(status: Int) {
        self =
            switch status {
            case 200..<300: .answered
            case 400, 413, 414, 422: .refused
            case 401, 403: .unauthorized
            case 402: .quotaExhausted
            case 429: .busy
            // Also 404, because it means a wrong server address as often as an unknown place.
            default: .unavailable
            }
    }
}

/// A reply that is an answer and not a failure.
enum HTTPReply {
    case body([UInt8])
    case none(Answer)

    /// Returns the answer, with the candidates that `read` finds in the body.
    func answer(_ read: ([UInt8]) throws(ProviderError) -> [Candidate]) throws(ProviderError) -> Answer {
        switch self {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try read(body)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }
}

/// A place in a reply.
protocol RepliedPlace {
    func placemark(at coordinate: Coordinate) -> Placemark
    var precision: Precision { get }
    /// From 0 to 1; nil if the service gives none, or one that can't be compared.
    var score: Double? { get }
}

extension RepliedPlace {
    var score: Double? { nil }
}

extension HTTPProvider {
    func signal(of response: HTTPResponse) -> HTTPSignal { HTTPSignal(status: response.status) }

    func quotaReset(in response: HTTPResponse) -> Duration? { response.retryAfter() }

    /// Sends a request at the moment at which the task's call may be sent. Requests other than geocoding, such as
    /// fetching a token, are sent at any time.
    func call(
        _ request: HTTPRequest, isGeocoding: Bool = true, mayBeXML: Bool = false
    ) async throws(ProviderError) -> HTTPReply {
        // The settings refuse this address too. Here it is refused whatever made the provider.
        if PublicNominatim.isHost(request.url.host) {
            throw .unauthorized(reason: "\(name) \(PublicNominatim.refusal)")
        }
        let response: HTTPResponse
        do {
            response = try await http.send(request, departure: isGeocoding ? Departure.current : nil)
        } catch {
            if let target = error.target, PublicNominatim.isHost(target) {
                throw .unauthorized(reason: "\(name): a redirect of \(error.host) \(PublicNominatim.refusal)")
            }
            // Each of the server's IP addresses would reply the same: a person must set the right URL.
            if error.kind == .moved { throw .unauthorized(reason: "\(name): \(error)") }
            throw .unavailable(reason: "\(name): \(error)")
        }
        let signal = signal(of: response)
        // An HTML page comes from a proxy. That is an outage, whatever its status is.
        let isPage = FailureDigest.isPage(response.body) && !(mayBeXML && response.body.starts(with: "<?xml".utf8))
        if case .answered = signal, !isPage { return .body(response.body) }
        return try .none(
            answer(
                to: signal, "\(name) \(FailureDigest.words(of: response))", response.retryAfter(),
                quotaReset(in: response)))
    }

    /// Returns the answer that a signal without a result means, or throws the failure.
    func answer(
        to signal: HTTPSignal, _ reason: String, _ retryAfter: Duration? = nil, _ quotaReset: Duration? = nil
    ) throws(ProviderError) -> Answer {
        switch signal {
        case .answered, .unavailable: throw .unavailable(reason: reason)
        case .notFound: return .notFound
        case .refused: return .refused(reason: reason)
        case .busy: throw .busy(retryAfter: retryAfter ?? .seconds(60))
        case .quotaExhausted: throw .quotaExhausted(resetIn: quotaReset ?? .seconds(3_600))
        case .unauthorized: throw .unauthorized(reason: reason)
        }
    }

    /// Returns a part of an address on one line; nil if it is blank.
    func written(_ text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    /// Decodes the members of `Value`. A body of another shape, such as a proxy's HTML page with status 200, is an
    /// outage. If it counted as "found nothing", it would be stored as an answer.
    func decode<Value: Decodable>(_: Value.Type, from body: [UInt8]) throws(ProviderError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body))
        } catch {
            // The decoder's error would quote the body.
            throw unreadable
        }
    }

    /// Throws if the coordinate is not on Earth, as is often the case with swapped degrees.
    func coordinate(_ latitude: LenientNumber, _ longitude: LenientNumber) throws(ProviderError) -> Coordinate {
        guard let place = Coordinate(latitude: latitude.value, longitude: longitude.value) else { throw unreadable }
        return place
    }

    func candidate(
        _ place: some RepliedPlace, _ latitude: LenientNumber, _ longitude: LenientNumber
    ) throws(ProviderError) -> Candidate {
        let coordinate = try coordinate(latitude, longitude)
        return Candidate(place.placemark(at: coordinate), place.precision, score: place.score)
    }

    /// Returns the candidates in a list of places as GeoJSON.
    func candidates<Place: Decodable & RepliedPlace>(
        _: Place.Type, in body: [UInt8]
    ) throws(ProviderError) -> [Candidate] {
        try decode(FeatureList<Place>.self, from: body).features.map { feature throws(ProviderError) in
            try candidate(feature.properties, feature.geometry.latitude, feature.geometry.longitude)
        }
    }

    var unreadable: ProviderError { .unavailable(reason: "\(name) replied in an unexpected format") }
}
