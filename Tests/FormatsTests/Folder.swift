import Foundation

/// A folder that exists as long as this value.
final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "waypost-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The names of all files in the folder, including hidden ones.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file(name))))
    }

    func put(_ text: String, into name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
    }
}
