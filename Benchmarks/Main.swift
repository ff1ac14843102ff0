import Foundation

/// `swift run -c release Benchmarks <name>`
@main
struct Main {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "hashing": HashingBenchmark.run()
        default:
            print("Usage: Benchmarks <name>, one of: hashing")
            exit(2)
        }
    }
}
