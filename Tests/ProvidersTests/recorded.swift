import Foundation

/// A recorded body: `Exchanges/SERVICE/NAME.json`.
func recorded(_ service: String, _ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Exchanges/\(service)")
    return try String(contentsOf: folder.appending(path: "\(name).json"), encoding: .utf8)
}
