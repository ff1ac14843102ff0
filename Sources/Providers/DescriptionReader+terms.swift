import Geocoding
import JSON

extension DescriptionReader {
    mutating func terms(forms: Set<Query.Form>, canReverse: Bool) -> ProviderTerms {
        let limits = optional("limits", takes: #"a list such as [{"calls": 2500, "seconds": 86400}]"#) { json in
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
        let attribution = optional("attribution", takes: "whom to name beside the results", parse: \.text)
        let storage = required(
            "storage", takes: #""unlimited", "session" or a number of days"#, parse: StorageRule.init)
        return ProviderTerms(
            forms: forms, canReverse: canReverse, countries: countries, limits: limits ?? [],
            attribution: attribution ?? "", storage: storage ?? .session)
    }
}

extension CallLimit {
    fileprivate init?(json: JSONValue) {
        guard let members = json.object, members.count == 2,
            let calls = members["calls"]?.number.flatMap({ Int(exactly: $0) }), calls > 0,
            let seconds = members["seconds"]?.number, seconds > 0, seconds <= 366 * 86_400
        else { return nil }
        self.init(calls, per: .seconds(seconds))
    }
}

extension StorageRule {
    fileprivate init?(json: JSONValue) {
        switch json {
        case .text("unlimited"): self = .unlimited
        case .text("session"): self = .session
        case .number(let number):
            guard let days = Int(exactly: number), days > 0 else { return nil }
            self = .days(days)
        default: return nil
        }
    }
}
