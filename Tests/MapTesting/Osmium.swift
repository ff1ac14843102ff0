import Foundation
import Processes

/// osmium-tool, which reads and writes the same files: https://osmcode.org/osmium-tool/
package enum Osmium {
    /// The map of Liechtenstein that the repository carries.
    package static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../deploy/sample/liechtenstein.osm.pbf").standardizedFileURL.path

    package static func isInstalled() async throws -> Bool {
        try await ChildProcess.output(of: "sh", ["-c", "command -v osmium"]).exit == .code(0)
    }

    @discardableResult
    package static func run(_ words: String...) async throws -> String {
        let outcome = try await ChildProcess.output(of: "osmium", words)
        guard outcome.exit == .code(0) else { throw Failure(text: String(decoding: outcome.error, as: UTF8.self)) }
        return String(decoding: outcome.output, as: UTF8.self)
    }

    /// The objects of a map in the notation of OPL, without metadata: https://osmcode.org/opl-file-format/
    package static func lines(of path: String) async throws -> [Substring] {
        try await run("cat", path, "-f", "opl,add_metadata=false").split(separator: "\n")
    }

    /// Replaces the escapes of OPL.
    package static func unescaped(_ text: Substring) -> String {
        var parts = text.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
        for index in stride(from: 1, to: parts.count, by: 2) {
            parts[index] = UInt32(parts[index], radix: 16).flatMap(UnicodeScalar.init).map { String($0) } ?? "?"
        }
        return parts.joined()
    }

    struct Failure: Error {
        let text: String
    }
}
