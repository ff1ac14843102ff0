import Formats
import Geocoding
import Postgres

extension ContactPlace {
    init(_ row: Row) throws {
        let address = try Address(row)
        self.init(
            id: try row.read("id"), friend: try row.read("friend"), position: try row.read("position"),
            sourceKey: try row.read("source_key"), name: try row.read("name"), label: try row.read("label"),
            address: address, status: .waiting)
        place = try KnownPlace(row, of: address)
        firstName = try row.read("first_name")
        lastName = try row.read("last_name")
        nickname = try row.read("nickname")
        countryCode = try row.readIfPresent("country_code")
    }
}
