import Geocoding
import Postgres

extension Address {
    /// Reads the columns of `addresses`.
    init(_ row: Row) throws {
        self.init(
            street: try row.read("street"), city: try row.read("city"), region: try row.read("region"),
            postcode: try row.read("postcode"), country: try row.read("country"))
    }
}

extension Coordinate {
    /// Returns nil if the row has no coordinate.
    init?(_ row: Row) throws {
        guard let latitude = try row.readIfPresent("latitude", as: Double.self),
            let longitude = try row.readIfPresent("longitude", as: Double.self)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
