/// How an address stands. Stored: never rename one.
public enum GeocodeStatus: String, Codable, Sendable, CaseIterable {
    case waiting
    case located
    /// A person should choose among what was found.
    case needsReview = "needs_review"
    case notFound = "not_found"
    case failed
    /// The provider's terms forbid to keep its answer any longer. It is asked again when it is needed.
    case forgotten
}
