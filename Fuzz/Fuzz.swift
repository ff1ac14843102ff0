import Glibc

/// `Fuzz TARGET [--seconds N]` gives a parser random bytes: https://llvm.org/docs/LibFuzzer.html
///
/// `Fuzz framing --lines` parses requests for `.ci/fuzz-requests`, which compares other parsers.
///
/// `make fuzz` builds it with libFuzzer, which searches for bytes that reach new code. The ordinary build changes its
/// seeds at random, which is enough to check that the target works.
@main
struct Fuzz {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        if words == ["framing", "--lines"] { return FramedRequests.answerLines() }
        guard let target = FuzzTarget.all.first(where: { $0.name == words.first }), let seconds = seconds(words) else {
            print("usage: Fuzz \(FuzzTarget.all.map(\.name).joined(separator: "|")) [--seconds N]")
            exit(64)
        }
        for seed in target.seeds { target.run(Array(seed.utf8)) }
        #if FUZZER
            exit(runFuzzer(target, seconds: seconds))
        #else
            mutate(target, seconds: seconds)
        #endif
    }

    private static func seconds(_ words: ArraySlice<String>) -> Int? {
        guard let option = words.firstIndex(of: "--seconds") else { return 10 }
        return option + 1 < words.endIndex ? Int(words[option + 1]) : nil
    }

    private static func mutate(_ target: FuzzTarget, seconds: Int) {
        let end = ContinuousClock.now + .seconds(seconds)
        var runs = 0
        while ContinuousClock.now < end, var bytes = target.seeds.randomElement().map({ Array($0.utf8) }) {
            for _ in 0..<Int.random(in: 1...8) {
                let place = Int.random(in: 0...bytes.count)
                let other = target.seeds.randomElement()?.utf8.dropFirst(Int.random(in: 0..<60)) ?? ""[...].utf8
                switch Int.random(in: 0..<3) {
                case 0: bytes.insert(.random(in: .min ... .max), at: place)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...4)))
                default: bytes.insert(contentsOf: other.prefix(Int.random(in: 0...40)), at: place)
                }
            }
            target.run(bytes)
            runs += 1
        }
        print("\(target.name): \(runs) runs")
    }
}
