import Foundation

/// `swift run -c release Benchmarks [NAME…]`; without a name, all of them.
@main
struct Main {
    private static let names = ["hashing", "postgres"]

    static func main() async throws {
        let wanted = Array(CommandLine.arguments.dropFirst())
        if let unknown = wanted.first(where: { !names.contains($0) }) {
            FileHandle.standardError.write(
                Data("no benchmark \"\(unknown)\"; there are: \(names.joined(separator: ", "))\n".utf8))
            exit(2)
        }
        for name in wanted.isEmpty ? names : wanted {
            if name == "hashing" { HashingBenchmark.run() } else { try await PostgresBenchmark.run() }
            print()
            fflush(nil)
        }
    }
}
