import Contacts
import Formats
import Geocoding

/// The form of a friend in `friends show --json` and `friends list --json`.
struct FriendJSON: Encodable {
    struct Address: Encodable {
        let id: Int
        let label, street, city, region, postcode, country: String
        let countryCode: String?
        let status: String
        let latitude, longitude: Double?
        let precision: String?
        let confidence: Double?
        let provider, reason, geocodedAt, hash, matchedAddress, why: String?
        let placemark: Placemark?

        init(_ record: AddressRecord, why: String?) {
            let address = record.address
            (id, label, status) = (record.id, record.label, record.status.rawValue)
            (street, city, region) = (address.street, address.city, address.region)
            (postcode, country, countryCode) = (address.postcode, address.country, record.countryCode)
            (latitude, longitude) = (record.coordinate?.latitude, record.coordinate?.longitude)
            confidence = record.confidence.map { ($0 * 1_000).rounded() / 1_000 }
            (reason, geocodedAt, hash) = (record.place.reason, record.place.geocodedAt, record.place.hash)
            (placemark, matchedAddress) = (record.place.placemark, record.place.placemark?.addressText())
            (precision, provider, self.why) = (record.precision, record.provider, why)
        }
    }

    let id: Int
    let account, feed, key, name, firstName, lastName, nickname, createdAt, updatedAt: String
    let addresses: [Address]

    init(_ friend: FriendRecord, account: String, whys: [Int: String] = [:]) {
        (id, self.account, feed, key) = (friend.id, account, friend.feed, friend.sourceKey)
        (name, firstName, lastName, nickname) = (friend.name, friend.firstName, friend.lastName, friend.nickname)
        (createdAt, updatedAt) = (friend.createdAt, friend.updatedAt)
        addresses = friend.addresses.map { Address($0, why: whys[$0.id]) }
    }
}
