package import Geocodes
package import Geocoding

/// How many addresses each link of a chain has to do with.
package struct ChainLoad: Hashable, Sendable {
    /// Those that begin there.
    package private(set) var starting: [Int]
    /// Those that may come there: all that begin there, and all that no earlier link answers.
    package private(set) var coming: [Int]

    package let chain: Chain

    package init(along chain: Chain) {
        self.chain = chain
        starting = chain.links.map { _ in 0 }
        coming = starting
    }

    package mutating func add(_ address: Address) {
        add(inCountry: chain.asksForCountry ? Country(address.country)?.code : nil)
    }

    /// An address of the country with this code; nil where nobody knows which it is.
    package mutating func add(inCountry country: String?) {
        let start = chain.start(inCountry: country)
        starting[start] += 1
        coming[start] += 1
        var last = start
        while let next = chain.link(from: last + 1, country: country, best: nil) {
            coming[next] += 1
            last = next
        }
    }
}
