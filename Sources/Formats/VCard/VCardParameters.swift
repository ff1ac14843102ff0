/// The facts about a place that are added to an ADR: `;X-WAYPOST-MATCHED-ADDRESS="…"`.
struct VCardParameters {
    private let added: AddedColumns

    init(adding added: AddedColumns) {
        self.added = added
    }

    func of(_ place: KnownPlace) -> [String] {
        added.values(of: place).compactMap { name, value in
            guard let value = value?.text, !value.isEmpty else { return nil }
            let name = name.uppercased().map { $0 == "_" ? "-" : $0 }
            return ";X-WAYPOST-\(String(name))=\"\(Self.escaped(value))\""
        }
    }

    /// https://www.rfc-editor.org/rfc/rfc6868#section-3.1
    private static func escaped(_ text: String) -> String {
        text.replacing("^", with: "^^").replacing("\r\n", with: "^n").replacing("\n", with: "^n")
            .replacing("\"", with: "^'").filter {
                $0 == "\t" || !$0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            }
    }
}
