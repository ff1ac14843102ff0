import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Shapes

extension APIServer {
    @ListBuilder<APIRoute> var addressRoutes: [APIRoute] {
        APIRoute(monica: .get, "/api/addresses", .read) { request in
            try await page(of: request) { try ContactStore().addressPage($0, account: $1, marks: marks, on: $2) }
        }
        .described("getAddresses", "Lists addresses", query: PageRequest.fields, .ok("A page of addresses."))
        APIRoute(monica: .post, "/api/addresses", .write) { request in
            var fields = try await request.fields()
            let contact = fields.requiredID("contact_id")
            return try await add(&fields, to: contact, asked: request)
        }
        .described(
            "postAddresses", "Adds an address", body: .json(MonicaModels.newAddress), .made("The address."),
            refuses: [404])
        monica(.get, "/api/addresses/{id}", .read, .read) { try address($0.id(), $0, on: $1) }
            .described("getAddress", "Shows an address", .ok("The address."))
        APIRoute(monica: .put, "/api/addresses/{id}", .write, is: .conditional, changeAddress)
            .described(
                "putAddress", "Changes an address", body: .json(MonicaModels.addressInput), .stored("The address."))
        monica(.delete, "/api/addresses/{id}", .write, is: .conditional, .write) { request, db in
            let id = try request.id()
            try require(request, address: id, on: db)
            guard try FriendEditor().removeAddress(id, account: request.account, on: db) else {
                throw RequestError.notFound
            }
            return Reply(MonicaDeleted(id: id))
        }
        .described("deleteAddress", "Removes an address", .ok("It is deleted."), refuses: [422])
        APIRoute(monica: .get, "/api/contacts/{id}/addresses", .read) { request in
            let id = try request.id()
            return try await page(of: request) { page, account, db in
                guard try ContactStore().friend(id, account: account, on: db) != nil else {
                    throw RequestError.notFound
                }
                return try ContactStore().addressPage(page, of: id, account: account, on: db)
            }
        }
        .described(
            "getContactAddresses", "Lists a contact's addresses", query: PageRequest.fields,
            .ok("A page of addresses."))
        // The contact is in the path, and a `contact_id` in the body is ignored.
        APIRoute(monica: .post, "/api/contacts/{id}/addresses", .write) { request in
            let contact = try request.id()
            var fields = try await request.fields()
            return try await add(&fields, to: contact, asked: request)
        }
        .described(
            "postContactAddresses", "Adds an address to a contact", body: .json(MonicaModels.addressInput),
            .made("The address."))
    }

    private func page(
        of request: APIRequest,
        _ look: @escaping @Sendable (ContactPage, _ account: Int, isolated Connection) throws -> ([FriendRecord], Int)
    ) async throws -> Reply<MonicaPage<MonicaAddress>> {
        let asked = try PageRequest(request)
        let (found, total) = try await read(request) { try look(asked.page, request.account, $0) }
        return asked.reply(found.compactMap { MonicaAddress($0, for: request.audience) }, total: total)
    }

    private func add(
        _ fields: inout RequestReader, to contact: Int, asked request: APIRequest
    ) async throws -> Reply<MonicaAnswer<MonicaAddress>> {
        let new = fields.address()
        try fields.finish()
        return try await write(request) { database in
            let id: Int?
            do {
                id = try FriendEditor().addAddress(new, to: contact, account: request.account, on: database)
            } catch let error as ContactError where error.cause == .full {
                throw RequestError.invalid(field: "contact_id", "has the largest number of addresses")
            }
            guard let id else { throw RequestError.notFound }
            return try address(id, request, status: 201, on: database).showing("/api/addresses/\(id)")
        }
    }

    /// An address can't move to another contact, so a `contact_id` is ignored.
    private func changeAddress(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaAddress>> {
        let (id, account) = (try request.id(), request.account)
        var fields = try await request.fields()
        let given = fields.address()
        try fields.finish()
        return try await write(request) { database in
            try require(request, address: id, on: database)
            var new = given
            // A client sends back what it has read: a provider's coordinate is not the contact's own.
            let known = try ContactStore().addresses([id], account: account, on: database).first?.addresses.first
            if let known, known.provider != "contact", known.coordinate == new.position { new.position = nil }
            guard try FriendEditor().changeAddress(id, to: new, account: account, on: database) else {
                throw RequestError.notFound
            }
            return try address(id, request, on: database).showing(request.path)
        }
    }

    /// Refuses a write to an address that does not fulfil the client's conditions.
    private func require(_ request: APIRequest, address id: Int, on database: isolated Connection) throws {
        try request.require {
            guard try FriendEditor().lock(friendOfAddress: id, account: request.account, on: database) else {
                throw RequestError.notFound
            }
            return try address(id, request, on: database).response
        }
    }

    private func address(
        _ id: Int, _ request: APIRequest, status: Int = 200, on database: isolated Connection
    ) throws -> Reply<MonicaAnswer<MonicaAddress>> {
        let found = try ContactStore().addresses([id], account: request.account, on: database).first
        let address = found.flatMap { MonicaAddress($0, for: request.audience) }
        return Reply(MonicaAnswer(item: try address.orThrow(.notFound)), status: status)
    }
}

extension RequestReader {
    /// An address with Monica's names of members, and its label.
    mutating func address() -> LabelledAddress {
        let label = text("name", example: "home") ?? ""
        let address = Address(
            street: text("street", example: "1 Main St") ?? "", city: text("city", example: "Reno") ?? "",
            region: text("province", example: "NV") ?? "", postcode: text("postal_code", example: "89501") ?? "",
            country: country())
        if !address.saysWhere, !isMistaken("street", "city", "country", "country_id") {
            mistake("street", "is missing, and so are city and country")
        }
        return LabelledAddress(label: label, address: address, position: position())
    }

    /// The contact's own position: both degrees, or neither.
    private mutating func position() -> Coordinate? {
        let latitude = number("latitude", in: -90...90, "With `longitude` the contact's own position.", example: nil)
        let longitude = number("longitude", in: -180...180)
        guard isGiven("latitude") || isGiven("longitude"), !isMistaken("latitude", "longitude") else { return nil }
        switch (latitude, longitude) {
        case (nil, nil): return nil
        case (nil, _): mistake("latitude", "is missing, and longitude is there")
        case (_, nil): mistake("longitude", "is missing, and latitude is there")
        case (0, 0): mistake("latitude", "is 0, and so is longitude, which means unknown: leave both out")
        case (let latitude?, let longitude?): return Coordinate(latitude: latitude, longitude: longitude)
        }
        return nil
    }

    /// The spelling in `country`, or the code of the country in `country_id`.
    private mutating func country() -> String {
        let spelling = text("country", "A code of ISO 3166-1, or any spelling.", example: "US") ?? ""
        guard let country = countryID("country_id") else { return spelling }
        guard spelling.isEmpty || Country(spelling) == country else {
            mistake("country_id", "means another country than country")
            return spelling
        }
        return spelling.isEmpty ? country.code : spelling
    }

    /// A country by ISO 3166-1: its number, also as a text, or its code of two or three letters. Nil if it is missing
    /// or null.
    private mutating func countryID(_ name: String) -> Country? {
        let schema = Schema(rules: [("type", ["integer", "string", "null"])], example: nil).with("minimum", 1)
            .with("maximum", 999).with("pattern", "^([0-9]{1,3}|[A-Za-z]{2,3})$")
        return value(
            name, schema, "The country by ISO 3166-1: its number, also as digits, or its code of two or three letters.",
            isNullable: false, refusal: "is neither a number nor a code of ISO 3166-1"
        ) { value in
            switch value {
            case .number(let number): Int(exactly: number).flatMap { CountryNumber.country($0) }
            case .text(let text): CountryNumber.country(text)
            default: nil
            }
        }
    }
}
