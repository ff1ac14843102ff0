/// The reason why a fix can't be true.
public enum FixProblem: String, Sendable, CaseIterable {
    /// Not a number, or degrees out of range.
    case notOnEarth = "not_on_earth"
    /// 0°, 0°: programs write this when the position is unknown.
    case nullIsland = "null_island"
    /// Core Location's negative value for "not measured", or not a number.
    case invalidAccuracy = "invalid_accuracy"
    /// Before the year 2000: the clock was never set.
    case tooOld = "too_old"
    /// More than five minutes ahead.
    case inTheFuture = "in_the_future"
    /// A wait time that is negative, is not a number, or ends in the future.
    case invalidWaitTime = "invalid_wait_time"
    /// Impossible speed from the place before.
    case tooFast = "too_fast"

    /// Continues a sentence that begins with "The fix".
    public var explanation: String {
        switch self {
        case .notOnEarth: "has a latitude outside -90...90 or a longitude outside -180...180"
        case .nullIsland: "is at latitude 0, longitude 0, which phones report when they don't know"
        case .invalidAccuracy: "has a negative accuracy, which phones report when they don't know"
        case .tooOld: "is from before the year 2000"
        case .inTheFuture: "is more than five minutes in the future"
        case .invalidWaitTime: "has a wait_time that is negative or ends in the future"
        case .tooFast: "is too far from the one before for the time between them"
        }
    }
}
