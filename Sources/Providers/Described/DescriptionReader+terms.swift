import Geocoding
import JSON
import Processes

extension DescriptionReader {
    mutating func terms(forms: Set<Query.Form>, canReverse: Bool) -> ProviderTerms {
        let limits = optional(
            "limits", takes: #"a list such as ["5/s", "2500/d"] or [{"calls": 2500, "seconds": 86400}]"#
        ) { $0.list?.all(CallLimit.init(json:)) }
        let countries = optional("countries", takes: "a list of country codes of two letters") { json in
            let codes = json.list?.all { $0.text.flatMap { Country($0)?.code } }
            return codes.flatMap { $0.isEmpty ? nil : Set($0) }
        }
        let attribution = optional("attribution", takes: "the source to name with the results", parse: \.text)
        // Without stated terms, answers are treated as lent only.
        let storage = optional(
            "storage", takes: #""unlimited", "session" or a number of days"#, parse: StorageRule.init)
        var use = object("terms", takes: "an object of link, read, personalData, machines and others") { $0.use() }
        use?.attribution = attribution ?? ""
        use?.storage = storage ?? .session
        return ProviderTerms(
            forms: forms, canReverse: canReverse, countries: countries, limits: limits ?? [],
            attribution: attribution ?? "", storage: storage ?? .session, use: use)
    }

    private mutating func use() -> TermsOfUse {
        func truth(_ json: JSONValue) -> Bool? { if case .bool(let bool) = json { bool } else { nil } }
        func permission(_ json: JSONValue) -> TermsOfUse.Permission? {
            truth(json).map { $0 ? .yes : .no }
        }
        return TermsOfUse(
            link: optional("link", takes: "the address of the page with the terms", parse: \.text) ?? "",
            read: optional("read", takes: "the date on which they were read", parse: \.text) ?? "no date",
            personalData: optional("personalData", takes: "true or false", parse: permission) ?? .unstated,
            machines: optional("machines", takes: "how many machines may call the service") { json in
                json.number.flatMap { Int(exactly: $0) }.flatMap { TermsOfUse.machines.contains($0) ? $0 : nil }
            },
            isInteractiveOnly: optional("interactiveOnly", takes: "true or false", parse: truth) ?? false,
            autocomplete: optional("autocomplete", takes: "true or false", parse: permission) ?? .unstated,
            note: optional("note", takes: "a sentence", parse: \.text) ?? "")
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
