package import Geocoding

/// The ways of new questions along a chain: those of recent questions, or, if too few are known, the shortest and the
/// longest possible ones.
package struct ChainWays: Sendable {
    package enum Bound: Sendable {
        /// The first link answers with its first step.
        case shortest
        /// Every possible link is called, with every step.
        case longest
    }

    /// The lanes of the chain, each once, in the order of the chain.
    package let lanes: [String]
    /// The number of answered questions that it is based on, for the links at which new questions begin; nil if too
    /// few.
    package let known: Int?

    private let load: ChainLoad
    private let steps: [Int]
    private let answered: [Int: [[Int]]]

    /// Fewer answers prove nothing about a link.
    static let fewest = 30

    /// `answered` are ways by the names of lanes; `terms` are those of the lanes' providers.
    package init(_ load: ChainLoad, terms: [String: ProviderTerms], answered: [[String]]) {
        self.load = load
        var lanes: [String] = []
        for link in load.chain.links where !lanes.contains(link.lane) { lanes.append(link.lane) }
        self.lanes = lanes
        steps = load.chain.links.map { $0.calls(under: terms[$0.lane]) }
        let ways = answered.map { way in way.compactMap { lanes.firstIndex(of: $0) } }.filter { !$0.isEmpty }
        let byStart = Dictionary(grouping: ways) { $0[0] }.filter { $0.value.count >= Self.fewest }
        self.answered = byStart
        let counts = load.chain.links.indices.filter { load.starting[$0] > 0 }.map { link in
            lanes.firstIndex(of: load.chain.links[link].lane).flatMap { byStart[$0]?.count } ?? 0
        }
        known = counts.isEmpty || counts.contains(0) ? nil : counts.reduce(0, +)
    }

    package func work(_ bound: Bound) -> [(way: WaySample, count: Int)] {
        load.starting.indices.filter { load.starting[$0] > 0 }.map { start in
            let ways = answered[lane(of: start)] ?? [[lane(of: start)]]
            let isKnown = answered[lane(of: start)] != nil
            return (WaySample(isKnown || bound == .shortest ? ways : longest(from: start)), load.starting[start])
        }
    }

    private func lane(of link: Int) -> Int { lanes.firstIndex(of: load.chain.links[link].lane) ?? 0 }

    /// Returns a hundred ways. The share of them that reaches each later link is the share of questions that may reach
    /// it.
    private func longest(from start: Int) -> [[Int]] {
        (0..<100).map { number in
            var way = Array(repeating: lane(of: start), count: steps[start])
            for link in load.starting.indices.dropFirst(start + 1) {
                let before = load.starting[..<link].reduce(0, +)
                guard before > 0, (load.coming[link] - load.starting[link]) * 100 > number * before else { continue }
                way += Array(repeating: lane(of: link), count: steps[link])
            }
            return way
        }
    }
}
