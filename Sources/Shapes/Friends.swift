package import Contacts
package import Formats
package import Geocoding
package import Queue

/// A friend for a reader, with the columns that the reader requested.
package struct FriendView: Shaped {
    let friend: FriendRecord
    let added: AddedColumns
    let waits: [WaitReason]?
    let account: String?
    /// By the ids of the addresses.
    let whys: [Int: String]
    let language: Language?

    /// Without a `language`, the names of countries are those of the providers, or English.
    package init(
        _ friend: FriendRecord, adding added: AddedColumns = .usual, waits: [WaitReason]? = nil, account: String? = nil,
        whys: [Int: String] = [:], in language: Language? = nil
    ) {
        (self.friend, self.added, self.waits, self.account, self.whys) = (friend, added, waits, account, whys)
        self.language = language
    }

    package static let shape = Shape<FriendView>("Friend", "A friend with the addresses and their places.") {
        Member("id", example: 1) { $0.friend.id }.bounds(1)
        Member("key", "The key that the feed's source uses.", example: "1") { $0.friend.sourceKey }
        Member("name", example: "Ada") { $0.friend.name }
        Member("first_name", example: "") { $0.friend.firstName }
        Member("last_name", example: "") { $0.friend.lastName }
        Member("nickname", example: "") { $0.friend.nickname }
        Member("feed", example: "crm") { $0.friend.feed }
        Member("created_at", example: "2026-11-20T10:15:00Z") { $0.friend.createdAt }.format("date-time")
        Member("updated_at", example: "2026-11-20T10:15:00Z") { $0.friend.updatedAt }.format("date-time")
        Member("addresses") { view in
            view.friend.addresses.map {
                AddressView(record: $0, added: view.added, why: view.whys[$0.id], language: view.language)
            }
        }
        Member(ifAny: "waits_for", "Only with `waits_for=true`.") { $0.waits }
        Member(ifAny: "account", "Only at the command line.") { $0.account }
    }
}

package struct AddressView: Shaped {
    let record: AddressRecord
    let added: AddedColumns
    let why: String?
    let language: Language?

    package static let shape = Shape<AddressView>("Address", "An address of a friend, with its place.") {
        Member("id", example: 1) { $0.record.id }.bounds(1)
        Member("label", example: "") { $0.record.label }
        Member("street", example: "1 Main St") { $0.record.address.street }
        Member("city", example: "Reno") { $0.record.address.city }
        Member("region", example: "") { $0.record.address.region }
        Member("postcode", example: "") { $0.record.address.postcode }
        Member("country", example: "") { $0.record.address.country }
        Member("country_code") { $0.record.countryCode }.pattern("^[A-Z]{2}$")
        Member("status", example: .located) { $0.record.status }
        Member("reason", "Why it has no place, or a coarse one; null for a fine place.") { $0.record.place.reason }
        Including(ifAny: { $0.added == .usual ? nil : AddedValues($0.added, of: $0.record.place) })
        Member("place") { PlaceView($0.record, in: $0.language) }
        Member(ifAny: "why", "Why it waits; only at the command line.") { $0.why }
    }
}

/// The values of requested columns.
package struct AddedValues: Shaped {
    package let values: [String: String?]

    package init(_ added: AddedColumns, of place: KnownPlace) {
        values = Dictionary(added.values(of: place).map { ($0.name, $0.value?.text) }) { first, _ in first }
    }

    package static let shape = Shape<AddedValues>("AddedColumns", "Columns that `add` requests.") {
        // The reason is always present.
        for name in AddedColumns.choices where name != "reason" {
            Member(ifAny: name, summaries[name] ?? "") { $0.values[name] }
        }
    }

    private static let summaries = [
        "matched_address": "The place found, on one line, as its country writes addresses.",
        "geocoded_at": "The time of the latest answer.",
        "hash": "The key of the address: addresses with equal keys share a question.",
    ]
}

package struct PlaceView: Shaped {
    let coordinate: Coordinate
    let record: AddressRecord
    let names: PlaceNames

    /// Nil if the address has no place.
    init?(_ record: AddressRecord, in language: Language?) {
        guard let coordinate = record.coordinate else { return nil }
        (self.coordinate, self.record) = (coordinate, record)
        names = PlaceNames(record.place.placemark, in: language)
    }

    package static let shape = Shape<PlaceView>("Place", "A place, and who found it.") {
        Member("latitude", example: 39.5) { $0.coordinate.latitude }.bounds(-90, 90)
        Member("longitude", example: -119.8) { $0.coordinate.longitude }.bounds(-180, 180)
        Member("precision", "How exact it is.", example: .rooftop) { $0.record.place.precision }
        Member("confidence", confidenceHelp, example: 0.9) { $0.record.place.confidence }.bounds(0, 1)
        Member("area_confidence", areaConfidenceHelp, example: 0.9) { $0.record.place.areaConfidence }.bounds(0, 1)
        Member("provider", example: "nominatim") { $0.record.provider }
        Including { $0.names }
    }
}

extension WaitReason: Shaped {
    package static let shape = Shape<WaitReason>("WaitReason", "What an address waits for.") {
        Member("lane", example: "gazetteer") { $0.lane }
        Member(
            "why",
            """
            `held`: a call is under way. `scheduled`: it is called again later. `limits`: the provider permits no more \
            calls now. `behind`: other jobs go first. New words may come.
            """, example: "limits"
        ) { $0.why }
        Member("seconds", "How long it lasts; null if that is unknown.", example: 50) {
            $0.seconds.map { $0.rounded(.up) }
        }.bounds(0)
    }
}

extension ChangedFriend: Shaped {
    package static let shape = Shape<ChangedFriend>("RemovedFriend", "A friend that was deleted.") {
        Member("id", example: 2) { $0.id }.bounds(1)
        Member("key", example: "2") { $0.sourceKey }
        Member("feed", example: "crm") { $0.feed }
        Member("removed_at", example: "2026-11-20T10:15:00Z") { $0.removedAt }.format("date-time")
    }
}

/// A page of friends, or of changes of friends.
package struct FriendPage: Shaped {
    let friends: [FriendView]
    let next: Int?
    let changes: FriendChanges?

    package init(_ friends: [FriendView], next: Int?) {
        (self.friends, self.next, changes) = (friends, next, nil)
    }

    package init(_ changes: FriendChanges, adding added: AddedColumns, in language: Language?) {
        (friends, next) = (changes.friends.map { FriendView($0, adding: added, in: language) }, nil)
        self.changes = changes
    }

    package static let shape = Shape<FriendPage>("Friends", "A page of friends, or of changes of friends.") {
        Member("data") { $0.friends }
        Member(ifAny: "removed", "Only with `updated_since`.") { $0.changes?.removed }
        Member("next_after", "The `after` of the next page; null on the last one.") { $0.next }
        Member(ifAny: "next_since", "Only with `updated_since`: the value for the next request.") {
            $0.changes?.next.text
        }
        Member(
            ifAny: "has_more", "Only with `updated_since`: true if there are more changes now. A page may be empty."
        ) { $0.changes?.isMore }
    }
}

extension FeedKey: Shaped {
    package static let shape = Shape<FeedKey>("FeedKey", "A friend by feed and key.") {
        Member("feed", example: "crm") { $0.feed }
        Member("key", example: "2") { $0.key }
    }
}

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
