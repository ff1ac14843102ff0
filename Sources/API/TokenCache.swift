/// Recently used tokens by their ids.
typealias TokenCache = BriefCache<Int, TokenHolder>

extension TokenCache {
    func remember(_ holder: TokenHolder, goodFor: Duration?) {
        guard let id = holder.token else { return }
        remember(holder, for: id, goodFor: goodFor)
    }
}
