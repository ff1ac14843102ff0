package import Geocoding

/// How many addresses reach each link of a chain.
package struct ChainLoad: Hashable, Sendable {
    /// Addresses that begin at the link.
    package private(set) var starting: [Int]
    /// Addresses that may reach the link: those that begin there, and those that no earlier link answers.
    private(set) var coming: [Int]

    package let chain: Chain

    package init(along chain: Chain) {
        self.chain = chain
        starting = chain.links.map { _ in 0 }
        coming = starting
    }

    package mutating func add(_ address: Address) {
        add(inCountry: chain.asksForCountry ? Country(address.country)?.code : nil)
    }

    /// Adds an address in the country with this code; nil if the country is unknown.
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
