import Geocoding
import Processes
import Providers
import Terminal

extension TermsOfUse {
    /// The facts with their titles, for people.
    var facts: [(title: String, text: String)] {
        [
            ("terms read", read), ("answers are kept", storage.words),
            ("personal data", personalData.words), ("machines", machines.map(Readable.count) ?? "any number"),
            ("interactive only", isInteractiveOnly ? "yes" : "no"), ("autocomplete", autocomplete.words),
            ("attribution", attribution.isEmpty ? "none" : attribution),
        ] + (note.isEmpty ? [] : [("note", note)]) + (link.isEmpty ? [] : [("terms", link)])
    }

    /// All terms that are known for a lane: those of the provider that this process has, or of each variant.
    static func of(_ lane: String, in app: Application) -> [(title: String, terms: TermsOfUse)] {
        if let terms = app.terms[lane]?.use { return [(lane, terms)] }
        return known.filter { $0.lane == lane }.map { ($0.title, $0.terms) }
    }

    /// `google: answers are kept for 30 days, attribution "Google Maps" (terms read 2026-11-28: https://…)`
    func sentence(of title: String) -> String {
        var parts = ["answers are kept \(storage.words)"]
        if !attribution.isEmpty { parts.append("attribution \"\(attribution)\"") }
        if personalData == .no { parts.append("no personal data") }
        if let machines { parts.append("on \(Words.count(machines, "machine")) at most") }
        if isInteractiveOnly { parts.append("only for a person who waits for the answer") }
        if !note.isEmpty { parts.append(note) }
        return
            "\(title): \(parts.joined(separator: ", ")) (terms read: \([read, link].filter { !$0.isEmpty }.joined(separator: ", ")))"
    }

    /// The table of docs/providers.md.
    static var table: String {
        let titles = [
            "provider", "read", "answers are kept", "personal data", "machines", "interactive only", "autocomplete",
            "attribution", "note",
        ]
        let rows = known.map { entry in
            let facts = Dictionary(entry.terms.facts.map { ($0.title, $0.text) }) { first, _ in first }
            return [
                entry.terms.link.isEmpty ? entry.title : "[\(entry.title)](\(entry.terms.link))", entry.terms.read,
            ] + titles.dropFirst(2).map { facts[$0] ?? "" }
        }
        return ([titles, titles.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}

extension StorageRule {
    var words: String {
        switch self {
        case .unlimited: "for good"
        case .days(let days): "for \(Words.count(days, "day"))"
        case .session: "for a day, as a session"
        }
    }
}

extension TermsOfUse.Permission {
    fileprivate var words: String { self == .unstated ? "not stated" : rawValue }
}
