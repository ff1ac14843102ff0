import Geocoding
import Postgres

extension Address {
    /// From the columns of `addresses`.
    init(_ row: Row) throws {
        self.init(
            street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
            postcode: try row.read("postcode"), country: try row.read("country"))
    }
}
