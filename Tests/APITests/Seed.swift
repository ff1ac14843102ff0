import Foundation

/// The contacts of the app that Waypost grew from, as in its data model. Replies of `/api` must decode into these
/// types.
///
/// `JSONDecoder` throws for an id that is not a whole number, or a missing text.
enum Seed {
    struct Country: Codable, Identifiable, Hashable {
        let id: Int
        let object, name, iso: String
    }

    struct Reference: Codable, Hashable {
        let id: Int
    }

    struct Address: Codable, Identifiable, Hashable {
        let id: Int
        let object: String
        let name, street, city, province, postalCode: String?
        let country: Country?
        let latitude, longitude: Double?
        let contact, account: Reference?
        let createdAt, updatedAt: Date?
    }

    /// The body of a new or changed address. The app leaves out nil members.
    struct AddressRequest: Codable {
        var name, street, city, province, postalCode: String?
        var countryId: Int?
    }

    struct Contact: Codable, Identifiable {
        let id: Int
        let firstName: String
        let lastName: String?
        let addresses: [Address]
    }

    struct One<Item: Codable>: Codable {
        let data: Item
    }

    struct List<Item: Codable>: Codable {
        struct Links: Codable { let first, last, prev, next: String? }
        struct Meta: Codable {
            let currentPage, lastPage, perPage, total: Int
            let from, to: Int?
        }
        let data: [Item]
        let links: Links?
        let meta: Meta?
    }

    struct Deleted: Codable {
        let deleted: Bool
        let id: Int
    }

    static func decode<Answer: Decodable>(_ bytes: [UInt8], as type: Answer.Type) throws -> Answer {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(bytes))
    }

    static func encode(_ body: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(body), as: UTF8.self)
    }
}
