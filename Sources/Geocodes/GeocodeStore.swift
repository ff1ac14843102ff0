/// The table `geocodes`: each distinct address once, and what is known of it.
package struct GeocodeStore: Sendable {
    package init() {}
}

/// How an address stands. Stored: never rename one.
package enum GeocodeStatus: String, Sendable, CaseIterable {
    case waiting
    case located
    case notFound = "not_found"
    case failed
}
