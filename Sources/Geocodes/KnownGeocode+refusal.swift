/// The reason why a person's decision on a question is refused.
package struct UnsuitableQuestion: Error, CustomStringConvertible {
    package let description: String
}

extension KnownGeocode {
    /// Explains why none of its candidates can be accepted or rejected. `status` is in the reader's words.
    package func refusal(_ reason: String, status: String) -> UnsuitableQuestion {
        UnsuitableQuestion(description: "question \(id) \(reason): it is \(status)")
    }

    package func refusal(ofCandidate number: Int, status: String) -> UnsuitableQuestion {
        if candidates.isEmpty { return refusal("has no candidates", status: status) }
        if number > candidates.count {
            return UnsuitableQuestion(
                description: "there is no candidate \(number): question \(id) has \(candidates.count)")
        }
        return refusal("is under way, and its candidates may change", status: status)
    }
}
