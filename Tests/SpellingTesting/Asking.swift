package import Geocoding
package import Questions

/// A question that is called to its end, like a worker does.
package struct Asking {
    let address: Address
    let provider: any GeocodingProvider
    let mending: any AddressMending

    package init(_ address: Address, of provider: any GeocodingProvider, _ mending: any AddressMending) {
        (self.address, self.provider, self.mending) = (address, provider, mending)
    }

    package func end() async throws -> (Turn, calls: [LadderStep]) {
        let chain = Chain([.init(provider.name)])
        var question = Question(id: 1, subject: .address(address), chain: chain)
        var calls: [LadderStep] = []
        while true {
            question.mend(by: mending, for: provider.terms)
            guard let rung = question.rung(provider.terms) else {
                preconditionFailure("a question that goes on has a next call")
            }
            let answer = try await provider.geocode([rung.query])[0]
            calls.append(rung.step)
            let turn = question.turn(after: answer, from: provider.name, provider.terms)
            guard case .goesOn(let next) = turn else { return (turn, calls) }
            question = Question(
                id: 1, subject: .address(address), chain: chain, link: next.link, step: next.step,
                candidates: next.candidates, failure: next.failure)
        }
    }
}
