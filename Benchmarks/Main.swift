import Foundation

/// `Benchmarks [NAME [--OPTION VALUE]…]…`. Without a name it runs the benchmarks of `make bench`: all except quality.
@main
struct Main {
    private static let benchmarks: [(name: String, run: @Sendable (Options) async throws -> Void)] = [
        ("hashing", { _ in HashingBenchmark.run() }),
        ("postgres", { _ in try await PostgresBenchmark.run() }),
        ("drain", DrainBenchmark.run),
        ("wake", WakeUpBenchmark.run),
        ("depth", DepthBenchmark.run),
        ("forecast", ForecastBenchmark.run),
        ("tokens", TokensBenchmark.run),
        ("enqueue", EnqueueBenchmark.run),
        ("import", ImportBenchmark.run),
        ("api", APIBenchmark.run),
        ("fixes", FixesBenchmark.run),
        ("histories", HistoriesBenchmark.run),
        ("gazetteer", GazetteerBenchmark.run),
        ("points", PointsBenchmark.run),
        ("region", RegionBenchmark.run),
        ("stages", StagesBenchmark.run),
        ("quality", QualityBenchmark.run),
        ("memory", MemoryBenchmark.run),
        ("idle-transaction", IdleTransactionBenchmark.run),
        ("soak", SoakBenchmark.run),
        ("workers", WorkersBenchmark.run),
    ]

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "worker" { return try await BenchCrew.work(Array(arguments.dropFirst())) }
        do {
            for (run, options) in try wanted(arguments) {
                try await run(options)
                print()
                fflush(nil)
            }
        } catch let error as Options.Mistake {
            FileHandle.standardError.write(Data("\(error.description)\n".utf8))
            exit(2)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func wanted(
        _ arguments: [String]
    ) throws -> [(@Sendable (Options) async throws -> Void, Options)] {
        if arguments.isEmpty { return benchmarks.filter { $0.name != "quality" }.map { ($0.run, Options()) } }
        var wanted: [(@Sendable (Options) async throws -> Void, Options)] = []
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let benchmark = benchmarks.first(where: { $0.name == name }) else {
                let names = benchmarks.map(\.name).joined(separator: ", ")
                throw Options.Mistake("no benchmark \"\(name)\"; there are: \(names)")
            }
            wanted.append((benchmark.run, try Options(&rest)))
        }
        return wanted
    }
}

/// The options after a benchmark's name: `--jobs 1000`.
struct Options: Sendable {
    private var values: [String: String] = [:]

    struct Mistake: Error {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    init() {}

    /// Removes the options from the front.
    init(_ arguments: inout ArraySlice<String>) throws {
        while let option = arguments.first, option.hasPrefix("--") {
            arguments.removeFirst()
            guard let value = arguments.popFirst() else { throw Mistake("\(option) needs a value") }
            values[String(option.dropFirst(2))] = value
        }
    }

    func text(_ name: String) -> String? { values[name] }

    func integer(_ name: String, _ standard: Int) throws -> Int {
        try integers(name, [standard])[0]
    }

    func integers(_ name: String, _ standard: [Int]) throws -> [Int] {
        guard let text = values[name] else { return standard }
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard !numbers.isEmpty else { throw Mistake("--\(name) takes numbers, such as 1,2,4") }
        return numbers
    }
}
