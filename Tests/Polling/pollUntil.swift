package import Testing

/// Returns once `holds` returns true.
///
/// If the test is cancelled first, as its time limit does, this records an issue at the waiting line. A loop around
/// `Task.yield()` would use a whole core, and a cancellation would not end it.
package func pollUntil(
    sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async throws -> Bool
) async throws {
    do {
        while try await !holds() { try await Task.sleep(for: .milliseconds(5)) }
    } catch  where Task.isCancelled {
        Issue.record("the test is cancelled, and this condition does not hold yet", sourceLocation: sourceLocation)
        throw error
    }
}
