package enum SinkKind: String, Sendable, CaseIterable {
    case firestore, webhook, file, table
}

package struct SinkSettings: Codable, Sendable {
    package init() {}
}
