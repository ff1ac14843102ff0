import Geocoding
import JSON
import Wording

extension DescriptionReader {
    mutating func terms(forms: Set<Query.Form>, canReverse: Bool) -> ProviderTerms {
        let limits = optional(
            "limits", takes: #"a list such as ["5/s", "2500/d"] or [{"calls": 2500, "seconds": 86400}]"#
        ) { json in
            json.list.flatMap { items in
                let limits = items.compactMap(CallLimit.init(json:))
                return limits.count == items.count ? limits : nil
            }
        }
        let countries = optional("countries", takes: "a list of country codes of two letters") { json in
            json.list.flatMap { items in
                let codes = items.compactMap { $0.text.flatMap { Country($0)?.code } }
                return codes.count == items.count && !codes.isEmpty ? Set(codes) : nil
            }
        }
        let attribution = optional("attribution", takes: "the source to name beside the results", parse: \.text)
        // Without stated terms, answers are treated as lent only.
        let storage = optional(
            "storage", takes: #""unlimited", "session" or a number of days"#, parse: StorageRule.init)
        return ProviderTerms(
            forms: forms, canReverse: canReverse, countries: countries, limits: limits ?? [],
            attribution: attribution ?? "", storage: storage ?? .session)
    }
}

extension CallLimit {
    fileprivate init?(json: JSONValue) {
        if let text = json.text {
            guard let rate = WrittenRate(text), let calls = Int(exactly: rate.calls) else { return nil }
            self.init(calls, per: .seconds(rate.seconds))
            return
        }
        guard let members = json.object, members.count == 2,
            let number = members["calls"]?.number, WrittenRate.permittedCalls.contains(number),
            let calls = Int(exactly: number),
            let seconds = members["seconds"]?.number, seconds > 0, seconds <= 366 * 86_400
        else { return nil }
        self.init(calls, per: Duration(clampingSeconds: max(seconds, 1e-6)))
    }
}

extension StorageRule {
    fileprivate init?(json: JSONValue) {
        switch json {
        case .text("unlimited"): self = .unlimited
        case .text("session"): self = .session
        case .number(let number):
            guard let days = Int(exactly: number), (1...36_500).contains(days) else { return nil }
            self = .days(days)
        default: return nil
        }
    }
}
