/// The contact in a card.
struct VCardContact {
    let card: VCardCard
    let options: ReadingOptions

    /// The friend without its key, and separately its addresses.
    func friend(keys: inout SourceKeys) throws(UnusableContact) -> (Friend, VCardAddresses) {
        if let problem = card.problem { throw UnusableContact(reason: problem) }
        guard !card.isGroup else { throw UnusableContact(reason: "it is a group of contacts and none itself") }
        let (id, names) = (try text("UID", limit: .id), try names)
        let addresses = try VCardAddresses(of: card, options)
        let written = try text("X-WAYPOST-KEY", limit: .key)
        guard !written.isEmpty || !id.isEmpty || !names.name.isEmpty || !addresses.found.isEmpty else {
            throw UnusableContact(reason: "it has neither a name nor an address")
        }
        let key = try keys.key(written: written, id: id, name: names.name, line: card.line)
        return (
            Friend(
                sourceKey: key, name: names.name, firstName: names.first, lastName: names.last, nickname: names.nick,
                addresses: addresses.found), addresses
        )
    }

    private var names: (name: String, first: String, last: String, nick: String) {
        get throws(UnusableContact) {
            let parts = try components("N") + ["", "", ""]
            let nickname = try components("NICKNAME").first ?? ""
            let written = [parts[1], parts[2], parts[0]].filter { !$0.isEmpty }.joined(separator: " ")
            let organisation = try components("ORG").first ?? ""
            let name = [try text("FN"), written, nickname, organisation].first { !$0.isEmpty } ?? ""
            return (name, parts[1], parts[0], nickname)
        }
    }

    private func text(_ name: String, limit: TextLimit = .text) throws(UnusableContact) -> String {
        guard let property = card.first(name) else { return "" }
        return try property.checked(VCardText.unescaped(try property.text(options.encoding)).tidied, limit)
    }

    private func components(_ name: String) throws(UnusableContact) -> [String] {
        try card.first(name)?.components(options.encoding) ?? []
    }
}

extension VCardProperty {
    /// The components of a structured value.
    func components(_ encoding: TextEncoding) throws(UnusableContact) -> [String] {
        try VCardText.components(try text(encoding)).map { part throws(UnusableContact) in try checked(part) }
    }

    /// Returns `text` as it is stored, or throws if it is too long for a field.
    func checked(_ text: String, _ limit: TextLimit = .text) throws(UnusableContact) -> String {
        guard let stored = limit.fitted(text) else { throw refusal(limit.refusal) }
        return stored
    }
}
