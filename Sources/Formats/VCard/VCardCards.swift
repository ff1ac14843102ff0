/// Finds the cards in a file, one after the other. A broken card does not affect the others.
struct VCardCards {
    enum Item {
        case card(VCardCard)
        case refused(line: Int, reason: String)
    }

    private(set) var lines: VCardLines
    /// A line that was already read and begins the next item.
    private var waiting: VCardLine?
    private var isOutside = false
    private(set) var hasCards = false

    init(_ window: ByteWindow) {
        lines = VCardLines(window)
    }

    /// The offset in the source where the next card may begin.
    var offset: Int { waiting?.start ?? lines.window.consumed }

    /// The next card. Nil at the end.
    mutating func next() throws -> Item? {
        while let line = try nextLine() {
            if line.frame == "BEGIN:VCARD" { return try readCard(from: line) }
            // Consecutive lines outside of a card give one entry.
            if !isOutside {
                isOutside = true
                return .refused(line: line.number, reason: "it stands outside of BEGIN:VCARD and END:VCARD")
            }
        }
        return nil
    }

    private mutating func nextLine() throws -> VCardLine? {
        defer { waiting = nil }
        return try waiting ?? lines.next()
    }

    private mutating func readCard(from begin: VCardLine) throws -> Item {
        var card = VCardCard(at: begin)
        // vCard 2.1 nests an assistant's card inside the card, after AGENT.
        var depth = 0
        var last: VCardProperty.Name?
        (isOutside, hasCards, lines.keepsSpaceOfFold) = (false, true, false)
        while let line = try nextLine() {
            switch line.frame {
            case "BEGIN:VCARD":
                guard last?.word == "AGENT" else {
                    waiting = line
                    return .refused(line: card.line, reason: "it has no END:VCARD")
                }
                depth += 1
                last = nil
            case "END:VCARD" where depth > 0: depth -= 1
            case "END:VCARD":
                card.close(at: line)
                return .card(card)
            default:
                let property = read(line, after: last, into: &card, isNested: depth > 0)
                last = property?.name ?? last
            }
        }
        return .refused(line: card.line, reason: "it has no END:VCARD")
    }

    private mutating func read(
        _ line: VCardLine, after last: VCardProperty.Name?, into card: inout VCardCard, isNested: Bool
    ) -> VCardProperty? {
        guard let property = VCardProperty(line) else {
            // A broken rest of a photo or a note does no harm, but that of an address does.
            if let last, last.isWanted, !isNested {
                card.problem =
                    "line \(line.number) of it has no colon; it may be the rest of the \(last.word) before it"
            }
            return nil
        }
        if property.name.isWanted, !isNested { card.add(property) }
        if property.name.word == "VERSION" { lines.keepsSpaceOfFold = card.version == "2.1" }
        return property
    }
}
