package import Contacts
package import Formats

extension Refusals.Entry: Shaped {
    package static let shape = Shape<Refusals.Entry>(
        "RefusedContact", "A contact that was left out, wholly or in part. It has no content of the contact."
    ) {
        Member("line", "Where the contact begins. For a server, its number in the list.", example: 2) { $0.line }
            .bounds(1)
        Member("reason", example: "it is not JSON: a word is neither true, false nor null") { $0.reason }
        Member("is_partial", "Only a part of it was left out.") { $0.isPartial }
    }
}

extension Refusals: Shaped {
    package static let shape = Shape<Refusals>("Refusals", "The contacts that were left out, wholly or in part.") {
        Member("refusals", "The first 100.") { $0.first }
        Member("refusal_count", "The number of all of them.", example: 1) { $0.count }
    }
}

extension SourceImport.Outcome: Shaped {
    package static let shape = Shape<SourceImport.Outcome>("Import", "The counts of an import.") {
        Member("contacts", "Contacts that were read, also by an interrupted run before.", example: 2) {
            $0.summary.contacts
        }
        Member("friends", "Stored friends: `added`, `changed` and `unchanged` together.", example: 2) {
            $0.counts.friends
        }
        Member("added", example: 2) { $0.counts.added }
        Member("changed", example: 0) { $0.counts.changed }
        Member("unchanged", example: 0) { $0.counts.unchanged }
        Member("removed", "Friends that a complete source lacks.", example: 0) { $0.summary.removed }
        Member(
            ifAny: "removal_held_back_by",
            "Why a complete source removed no friend: contacts were refused, or it has none. Otherwise missing.",
            example: "refusals"
        ) { $0.summary.removal.heldBackBy }.choices(["refusals", "emptiness"])
        Member("addresses", "Addresses of the friends.", example: 2) { $0.counts.addresses }
        Member("questions", "Addresses that had not been asked before.", example: 2) { $0.counts.questions }
        Member("refused", "Contacts that were left out.", example: 1) { $0.summary.refused }
        Including { $0.refusals }
    }
}
