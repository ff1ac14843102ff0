import Geocoding
import Questions

/// The form of a question in `review list --json`, `review show --json`, `geocode --json` and `reverse --json`.
struct QuestionJSON: Encodable {
    struct Found: Encodable {
        let placemark: Placemark
        let line, precision, provider: String
        let confidence: Double
        let step: String?

        init(_ candidate: Place) {
            (placemark, line) = (candidate.placemark, candidate.placemark.line)
            (precision, provider) = (candidate.precision.rawValue, candidate.provider)
            confidence = (candidate.confidence * 1_000).rounded() / 1_000
            step = candidate.step?.rawValue
        }
    }

    struct Call: Encodable {
        let lane, result: String
        let step: String?
    }

    let id: Int
    let address: Address?
    let coordinate: Coordinate?
    let status: String
    let place: Found?
    /// While the question waits: the best place so far, and the lane for which it waits.
    let placeSoFar: Found?
    let waitsFor: String?
    let candidates: [Found]
    let trail: [Call]
    let provider, reason: String?
    let isShared, isPinned: Bool

    init(_ question: QuestionDetails) {
        (id, status) = (question.id, question.status.rawValue)
        switch question.subject {
        case .address(let asked): (address, coordinate) = (asked, nil)
        case .coordinate(let asked): (address, coordinate) = (nil, asked)
        }
        place = question.place.map(Found.init)
        (placeSoFar, waitsFor) = (question.soFar?.place.map(Found.init), question.soFar?.waitsFor)
        candidates = question.candidates.map(Found.init)
        trail = question.trail.map { Call(lane: $0.lane, result: $0.result, step: $0.step?.rawValue) }
        (provider, reason) = (question.provider, question.reason)
        (isShared, isPinned) = (question.isShared, question.isPinned)
    }
}
