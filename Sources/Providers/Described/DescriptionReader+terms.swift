import Geocoding
import JSON

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
            self.init(text)
            return
        }
        guard let members = json.object, members.count == 2,
            let calls = members["calls"]?.number.flatMap({ Int(exactly: $0) }), calls > 0,
            let seconds = members["seconds"]?.number, seconds > 0, seconds <= 366 * 86_400
        else { return nil }
        self.init(calls, per: .seconds(seconds))
    }

    /// Reads `5/s`, `1/2s`, `60/min`, `1000/h`, `3000/d`, as on the command line.
    private init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let calls = Int(parts[0]), calls > 0 else { return nil }
        let digits = parts[1].prefix(while: \.isNumber)
        guard let count = digits.isEmpty ? 1 : Int(digits), count > 0,
            let unit = Self.units[String(parts[1].dropFirst(digits.count))]
        else { return nil }
        self.init(calls, per: unit * count)
    }

    private static let units: [String: Duration] = [
        "s": .seconds(1), "min": .seconds(60), "h": .seconds(3_600), "d": .seconds(86_400),
    ]
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
