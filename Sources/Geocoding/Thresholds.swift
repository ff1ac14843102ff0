/// The confidences from which an answer is accepted.
public struct Thresholds: Hashable, Sendable {
    public var located: Double
    /// From this confidence on a person should review the answer.
    public var review: Double

    public init(located: Double = 0.75, review: Double = 0.4) {
        self.located = located
        self.review = review
    }

    public enum Verdict: String, Codable, CaseIterable, Sendable {
        case located, review, poor
    }

    public func verdict(for confidence: Confidence) -> Verdict {
        switch confidence.value {
        case located...: .located
        case review...: .review
        default: .poor
        }
    }
}
