import Geocoding
import Questions
import Queue
import Terminal

extension Chain.Link {
    /// Parses `nominatim:countries=DE,AT:below=0.6:stop=rooftop:steps=structured,free form`.
    init(words: String) throws(UsageError) {
        let parts = words.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts[0].isName else {
            throw UsageError("a LINK begins with the name of a lane, and \"\(words)\" doesn't; it takes \(Self.form)")
        }
        self.init(parts[0])
        var seen: Set<String> = []
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, !pair[1].isEmpty else {
                throw UsageError("\"\(part)\" in \"\(words)\" has no value; a LINK takes \(Self.form)")
            }
            guard seen.insert(pair[0]).inserted else {
                throw UsageError("\"\(words)\" has \(pair[0])= twice; write it once, with commas between the values")
            }
            try set(pair[0], to: pair[1], in: words)
        }
    }

    private mutating func set(_ name: String, to value: String, in words: String) throws(UsageError) {
        switch name {
        case "countries":
            countries = try Self.list(value, "countries= takes countries like DE,AT") { Country($0)?.code }
        case "below":
            guard let share = Double(value), (0...1).contains(share) else {
                throw UsageError("below= takes a confidence from 0 to 1, not \"\(value)\"")
            }
            below = share
        case "stop":
            guard let precision = Precision(rawValue: value) else {
                throw UsageError("stop= takes one of \(Self.names(Precision.allCases)), not \"\(value)\"")
            }
            stopAt = precision
        case "steps":
            steps = try Self.list(value, "steps= takes some of \(Self.names(LadderStep.allCases))") {
                LadderStep(rawValue: $0)
            }
        default:
            throw UsageError("\"\(name)=\" in \"\(words)\" is not a condition of a LINK; it takes \(Self.form)")
        }
    }

    private static let form = "LANE[:countries=DE,AT][:below=0.6][:stop=rooftop][:steps=structured,free form]"

    private static func names<Value: RawRepresentable>(_ values: [Value]) -> String where Value.RawValue == String {
        values.map(\.rawValue).joined(separator: ", ")
    }

    private static func list<Value>(
        _ text: String, _ expectation: String, _ read: (String) -> Value?
    ) throws(UsageError) -> [Value] {
        var values: [Value] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let value = read(word) else { throw UsageError("\(expectation), not \"\(word)\"") }
            values.append(value)
        }
        return values
    }
}

extension StoredChain {
    /// The shell command that makes this chain.
    var command: String {
        let links = plan.links.map { $0.words.contains(" ") ? "'\($0.words)'" : $0.words }
        return
            (["waypost chains set \(name)"] + links + [
                "--located \(plan.located) --review \(plan.review)",
                "--keep-not-found \(plan.keepNotFound) --keep-failed \(plan.keepFailed)",
                plan.sharesHouses ? "--shared-houses" : "--no-shared-houses",
                "--pause \(plan.pauseSeconds)s --line \(plan.lineOrder.rawValue)",
            ]).joined(separator: " ")
    }
}
