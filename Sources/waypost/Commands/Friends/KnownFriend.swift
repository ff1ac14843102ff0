import Contacts
import Formats
import Geocoding
import Postgres
import Processes
import Questions
import Queue
import Terminal

struct NoSuchFriend: Error, CustomStringConvertible {
    let id: Int
    var description: String { "there is no friend \(id): soft-deleted, or never existed" }
}

/// A friend, with the reason for each address that waits.
struct KnownFriend: Sendable {
    let friend: FriendRecord
    let account: String
    /// By the ids of the addresses.
    let whys: [Int: String]

    init?(_ id: Int, _ app: Application, on database: isolated Connection) throws {
        guard let account = try app.contacts.account(ofFriend: id, on: database),
            let friend = try app.contacts.friend(id, account: account.id, on: database)
        else { return nil }
        (self.friend, self.account) = (friend, account.name)
        let jobs = try app.contacts.jobs(ofFriend: id, on: database)
        var whys: [Int: String] = [:]
        for address in friend.addresses where address.status == .waiting {
            let circumstances = try jobs[address.id].flatMap { try app.queue.circumstances(of: $0, on: database) }
            // The coordinator's sweep finds addresses that another program wrote, and those that lost their job.
            whys[address.id] =
                circumstances.map { WhyJobWaits($0).advice(job: $0.job.id, lane: $0.lane) }
                ?? "It is in no job yet: the leading coordinator enqueues it at its next sweep."
        }
        self.whys = whys
    }

    func write(to screen: Screen) {
        var facts = Table(.left("FRIEND"), .left("\(friend.id)"))
        facts.add("name", friend.name)
        facts.add("key", friend.sourceKey)
        facts.add("account", account)
        facts.add("feed", friend.feed.isEmpty ? "none" : friend.feed)
        facts.add("updated", friend.updatedAt)
        facts.write(to: screen)
        for address in friend.addresses { write(address, to: screen) }
    }

    private func write(_ record: AddressRecord, to screen: Screen) {
        screen.writeLine()
        let address = record.address
        let line = Words.line([address.street, address.city, address.region, address.postcode, address.country])
        var facts = Table(.left("ADDRESS"), .left(line))
        if !record.label.isEmpty { facts.add("label", record.label) }
        facts.add("status", record.status.words)
        if let coordinate = record.coordinate { facts.add("coordinate", coordinate.word) }
        if let place = record.place.placemark { facts.add("place", place.addressText()) }
        if let precision = record.place.precision {
            let weakness = record.place.isWeak ? Doubt.coarseness(of: precision) : nil
            facts.add("precision", weakness ?? precision.rawValue)
        }
        if let confidence = record.place.confidence { facts.add("confidence", Words.share(confidence)) }
        if record.place.isWeak, let area = record.place.areaConfidence {
            facts.add("area confidence", Words.share(area))
        }
        if let provider = record.provider {
            facts.add(record.coordinate == nil ? "asked last" : "found by", provider)
        }
        if record.status != .waiting, let reason = record.place.reason { facts.add("reason", reason) }
        facts.write(to: screen)
        // The sentence is written below the table, because a narrow window would cut a cell.
        if let why = whys[record.id] { screen.writeLine(why) }
    }
}
