import Foundation
import Sinks
import Testing

@testable import waypost

struct SealingKeyTests {
    @Test func `a private cluster makes its own key, and another one waits for that of its operator`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func sealed(_ more: [String: String]) throws -> [UInt8]? {
            let settings = try Settings(environment: more.merging(["WAYPOST_FOLDER": folder]) { $1 })
            let app = Application(settings, url: "postgresql:///x", connections: 1, patience: .seconds(1))
            return try app.ownSealingKeys()?.seal("secret", for: "test")
        }
        #expect(try sealed(["DATABASE_URL": "postgresql:///x"]) == nil)
        #expect(FileManager.default.contents(atPath: "\(folder)/sealing.key") == nil)
        #expect(try sealed([:]) != nil)
        let key = FileManager.default.contents(atPath: "\(folder)/sealing.key")
        #expect(try sealed([:]) != nil && key != nil)
        #expect(FileManager.default.contents(atPath: "\(folder)/sealing.key") == key)
    }
}
