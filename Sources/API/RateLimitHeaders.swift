import Access
import HTTP

/// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
extension FairShare {
    /// Adds the account's limit of simultaneous requests, and how many more it could send now.
    func note(_ account: Int, in headers: inout HTTPHeaders) {
        guard headers["RateLimit"] == nil else { return }
        headers["RateLimit-Policy"] = limits.policy
        headers["RateLimit"] = "\"account\";r=\(placesLeft(of: account))"
    }
}

extension RequestError {
    init(_ error: AccountIsBusy) {
        let seconds = max(1, Int((error.pause / .seconds(1)).rounded(.up)))
        self.init(
            status: 429,
            detail:
                "The account has more requests under way than can be answered soon; send fewer at once, and this again later.",
            monicaCode: 34,
            headers: [
                "Retry-After": "\(seconds)",
                "RateLimit-Policy": error.limits.policy,
                "RateLimit": "\"account\";r=0;t=\(seconds)",
            ])
    }
}

extension Shares.Limits {
    fileprivate var policy: String { "\"account\";q=\(placesOfAccount);qu=\"concurrent-requests\"" }
}
