/// The status of an address. Stored: never rename a case.
public enum GeocodeStatus: String, Codable, Sendable, CaseIterable {
    case waiting
    case located
    /// A person should choose among the places that were found.
    case needsReview = "needs_review"
    case notFound = "not_found"
    case failed
    /// The provider's terms forbid to keep its answer any longer. It is asked again when needed.
    case forgotten
}
