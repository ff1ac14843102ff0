import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Shapes

extension APIServer {
    /// `GET /api/addresses`
    func addresses(_ request: APIRequest) async throws -> Reply<MonicaPage<MonicaAddress>> {
        let asked = try PageRequest(request)
        let account = request.caller.account
        let (found, total) = try await read(request) { database in
            try ContactStore().addressPage(asked.page, account: account, marks: marks, on: database)
        }
        return answer(found, total, to: request, asked)
    }

    /// `GET /api/contacts/{id}/addresses`
    func addressesOfContact(_ request: APIRequest) async throws -> Reply<MonicaPage<MonicaAddress>> {
        let (id, account) = (try request.id(), request.caller.account)
        let asked = try PageRequest(request)
        let (found, total) = try await read(request) { database in
            guard try ContactStore().friend(id, account: account, on: database) != nil else {
                throw RequestError.notFound
            }
            return try ContactStore().addressPage(asked.page, of: id, account: account, on: database)
        }
        return answer(found, total, to: request, asked)
    }

    /// `GET /api/addresses/{id}`
    func address(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaAddress>> {
        let (id, account) = (try request.id(), request.caller.account)
        let found = try await read(request) { database in
            try ContactStore().addresses([id], account: account, on: database)
        }
        return try answer(found.first, to: request)
    }

    /// `POST /api/addresses`
    func addAddress(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaAddress>> {
        var fields = try await request.fields()
        let contact = fields.requiredID("contact_id")
        let address = fields.address()
        try fields.finish()
        return try await add(address, to: contact, asked: request)
    }

    /// `POST /api/contacts/{id}/addresses`: the contact is in the path, and a `contact_id` in the body is ignored.
    func addAddressToContact(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaAddress>> {
        let contact = try request.id()
        var fields = try await request.fields()
        let address = fields.address()
        try fields.finish()
        return try await add(address, to: contact, asked: request)
    }

    private func add(
        _ address: LabelledAddress, to contact: Int, asked request: APIRequest
    ) async throws -> Reply<MonicaAnswer<MonicaAddress>> {
        let account = request.caller.account
        return try await write(request) { database in
            guard let id = try add(address, to: contact, account: account, on: database) else {
                throw RequestError.notFound
            }
            let found = try ContactStore().addresses([id], account: account, on: database)
            return try answer(found.first, to: request, status: 201).showing("/api/addresses/\(id)")
        }
    }

    private func add(
        _ address: LabelledAddress, to contact: Int, account: Int, on database: isolated Connection
    ) throws -> Int? {
        do {
            return try FriendEditor().addAddress(address, to: contact, account: account, on: database)
        } catch let error as ContactError where error.cause == .full {
            throw RequestError.invalid(fields: [
                .init(field: "contact_id", detail: "has the largest number of addresses")
            ])
        }
    }

    /// `PUT /api/addresses/{id}`. An address can't move to another contact, so a `contact_id` is ignored.
    func changeAddress(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaAddress>> {
        let (id, account) = (try request.id(), request.caller.account)
        var fields = try await request.fields()
        let given = fields.address()
        try fields.finish()
        return try await write(request) { database in
            try require(request, address: id, on: database)
            var address = given
            // A client sends back what it has read: a provider's coordinate is not the contact's own.
            let known = try ContactStore().addresses([id], account: account, on: database).first?.addresses.first
            if let known, known.provider != "contact", known.coordinate == address.position { address.position = nil }
            guard try FriendEditor().changeAddress(id, to: address, account: account, on: database),
                let changed = try ContactStore().addresses([id], account: account, on: database).first
            else { throw RequestError.notFound }
            return try answer(changed, to: request).showing(request.path)
        }
    }

    /// `DELETE /api/addresses/{id}`
    func removeAddress(_ request: APIRequest) async throws -> Reply<MonicaDeleted> {
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, address: id, on: database)
            guard try FriendEditor().removeAddress(id, account: account, on: database) else {
                throw RequestError.notFound
            }
            return Reply(MonicaDeleted(id: id))
        }
    }

    /// Refuses a write to an address that does not fulfil the client's conditions.
    private func require(_ request: APIRequest, address id: Int, on database: isolated Connection) throws {
        let account = request.caller.account
        try request.require {
            guard try FriendEditor().lock(friendOfAddress: id, account: account, on: database) else {
                throw RequestError.notFound
            }
            return try answer(ContactStore().addresses([id], account: account, on: database).first, to: request)
                .response
        }
    }

    private func answer(
        _ found: [FriendRecord], _ total: Int, to request: APIRequest, _ asked: PageRequest
    ) -> Reply<MonicaPage<MonicaAddress>> {
        asked.reply(found.compactMap { MonicaAddress($0, for: request.audience) }, total: total)
    }

    private func answer(
        _ found: FriendRecord?, to request: APIRequest, status: Int = 200
    ) throws -> Reply<MonicaAnswer<MonicaAddress>> {
        guard let found, let address = MonicaAddress(found, for: request.audience) else {
            throw RequestError.notFound
        }
        return Reply(MonicaAnswer(item: address), status: status)
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
