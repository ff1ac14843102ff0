import Contacts
import Geocodes
import Geocoding
import HTTP
import JSON
import Questions

/// Single questions. The answers hold no number: the same question of another account has the same one.
extension APIServer {
    /// `POST /v1/geocode`
    func geocode(_ request: APIRequest) async throws -> ServerResponse {
        try request.refuseParameters()
        var fields = try await request.fields()
        let address = Address(
            street: fields.text("street"), city: fields.text("city"),
            region: fields.text("region"), postcode: fields.text("postcode"),
            country: fields.text("country"))
        if !address.saysWhere, !["street", "city", "country"].contains(where: fields.isMistaken) {
            fields.mistake("street", "is missing, and so are city and country")
        }
        try fields.finish()
        return try await ask(.address(address), for: request)
    }

    /// `GET /v1/reverse`
    func reverse(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        query.require("latitude")
        query.require("longitude")
        let latitude = query.number("latitude", in: -90...90)
        let longitude = query.number("longitude", in: -180...180)
        let chain = query.text("chain") ?? "reverse"
        try query.finish()
        guard let latitude, let longitude, let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw RequestError.invalid(parameters: [.init(field: "latitude", detail: "is not on Earth")])
        }
        return try await ask(.coordinate(coordinate), along: chain, for: request)
    }

    /// With the highest priority, along the account's chain if no other is named.
    private func ask(
        _ subject: Inquiry.Subject, along name: String? = nil, for request: APIRequest
    ) async throws -> ServerResponse {
        let account = request.caller.account
        return try await write(request) { database in
            let chain = try name ?? ContactStore().chain(of: account, on: database)
            let id: Int
            do { id = try QuestionQueue().askNow(subject, along: chain, on: database) } catch is NoSuchChain
                where name != nil
            {
                throw RequestError.invalid(parameters: [.init(field: "chain", detail: "is no chain that there is")])
            }
            guard let known = try GeocodeStore().standing(id, on: database) else { throw RequestError.notFound }
            var response = ServerResponse.json(known.status == .waiting ? 202 : 200) { json in
                json.object { json in
                    json.member("status", known.status.rawValue)
                    json.member("reason", known.reason ?? known.place?.weakness)
                    json.found(known.place)
                }
            }
            if known.status == .waiting { response.headers["Retry-After"] = "1" }
            return response
        }
    }
}

extension Address {
    /// What can be looked up at all, as the table `addresses` has it too.
    var saysWhere: Bool { [street, city, country].contains { !$0.allSatisfy(\.isWhitespace) } }
}

extension JSONWriter {
    fileprivate mutating func found(_ found: GradedCandidate?) {
        guard let found else { return null("place") }
        let place = found.placemark
        object("place") { json in
            json.member("latitude", place.coordinate.latitude)
            json.member("longitude", place.coordinate.longitude)
            json.member("precision", found.precision.rawValue)
            json.member("confidence", found.confidence)
            json.member("provider", found.provider)
            json.member("matched_address", place.problems.contains(.unnamed) ? nil : place.addressText())
            json.member("name", place.name)
            json.member("street", place.thoroughfare)
            json.member("house_number", place.subThoroughfare)
            json.member("city", place.locality)
            json.member("neighbourhood", place.subLocality)
            json.member("region", place.administrativeArea)
            json.member("county", place.subAdministrativeArea)
            json.member("postcode", place.postalCode)
            json.member("country_code", place.countryCode)
            json.member("country", place.countryName)
        }
    }
}
