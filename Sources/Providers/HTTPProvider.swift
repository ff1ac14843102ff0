import Foundation
import Geocoding
import HTTP

/// A provider that is called over HTTP. It gets the ways to fail from here, so that all of them fail alike.
protocol HTTPProvider: GeocodingProvider, HTTPCaller {
    /// What an answer means, before its body is read. The usual meanings of statuses unless a service has its own.
    func signal(of response: HTTPResponse) -> HTTPSignal

    /// When the quota comes back that is used up; nil where the answer doesn't say. `Retry-After` unless a service says
    /// it elsewhere.
    func quotaReset(in response: HTTPResponse) -> Duration?
}

/// What the status of an answer says.
enum HTTPSignal {
    /// The body says more.
    case answered
    case notFound
    /// This query never succeeds.
    case refused
    case unavailable
    /// Too fast.
    case busy
    case quotaExhausted
    case unauthorized

    init(status: Int) {
        self =
            switch status {
            case 200..<300: .answered
            case 400, 413, 414, 422: .refused
            case 401, 403: .unauthorized
            case 402: .quotaExhausted
            case 429: .busy
            // Also 404, for it is a wrong server address as often as an unknown place.
            default: .unavailable
            }
    }
}

/// An answer that is one, as opposed to a failure.
enum HTTPReply {
    case body([UInt8])
    case none(Answer)
}

extension HTTPProvider {
    func signal(of response: HTTPResponse) -> HTTPSignal { HTTPSignal(status: response.status) }

    func quotaReset(in response: HTTPResponse) -> Duration? { response.retryAfter() }

    /// Sends a request, which leaves when the call that the task makes may leave. Only what is no geocoding, such as the
    /// fetching of a token, leaves at any time.
    func call(_ request: HTTPRequest, isGeocoding: Bool = true) async throws(ProviderError) -> HTTPReply {
        let response: HTTPResponse
        do {
            response = try await http.send(request, departure: isGeocoding ? Departure.current : nil)
        } catch {
            // Each of its addresses would find the same: a person has to set the right one.
            if error.kind == .moved { throw .unauthorized(reason: "\(name): \(error)") }
            throw .unavailable(reason: "\(name): \(error)")
        }
        let signal = signal(of: response)
        // A page is one of a proxy, which is an outage whatever its status is.
        if case .answered = signal, !FailureDigest.isPage(response.body) { return .body(response.body) }
        let reason = "\(name) \(FailureDigest.words(of: response))"
        switch signal {
        case .answered, .unavailable: throw .unavailable(reason: reason)
        case .notFound: return .none(.notFound)
        case .refused: return .none(.refused(reason: reason))
        case .busy: throw .busy(retryAfter: response.retryAfter() ?? .seconds(60))
        case .quotaExhausted: throw .quotaExhausted(resetIn: quotaReset(in: response) ?? .seconds(3_600))
        case .unauthorized: throw .unauthorized(reason: reason)
        }
    }

    /// A part of an address in one line; nil where there is nothing.
    func written(_ text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    /// Reads the fields that `Value` names. What has another shape, such as a proxy's page of HTML with status 200, is
    /// an outage: taken for "found nothing", it would be kept as an answer.
    func decode<Value: Decodable>(_: Value.Type, from body: [UInt8]) throws(ProviderError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body))
        } catch {
            // The error would quote the body.
            throw unreadable
        }
    }

    /// Refuses what is not on Earth, which swapped degrees often are not.
    func coordinate(_ latitude: LenientNumber, _ longitude: LenientNumber) throws(ProviderError) -> Coordinate {
        guard let place = Coordinate(latitude: latitude.value, longitude: longitude.value) else { throw unreadable }
        return place
    }

    var unreadable: ProviderError { .unavailable(reason: "\(name)'s answer has not the shape that was expected") }
}
