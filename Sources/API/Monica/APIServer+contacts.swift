import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres

extension APIServer {
    /// `GET /api/contacts`
    func contacts(_ request: APIRequest) async throws -> ServerResponse {
        let asked = try PageRequest(request)
        let (caller, audience) = (request.caller, request.audience)
        let hasFields = audience.form == .monica && request.http.query("with") == "contactfields"
        return try await read(request) { database in
            let contacts = ContactStore()
            let (ids, total) =
                if let query = asked.query {
                    try contacts.page(asked.page, query: query, account: caller.account, on: database)
                } else {
                    try contacts.page(asked.page, account: caller.account, marks: marks, on: database)
                }
            let friends = try contacts.friends(ids, with: .addressTimes, account: caller.account, on: database)
            return asked.response(friends, total: total) { json, friend in
                json.contact(friend, for: audience, withFields: hasFields)
            }
        }
    }

    /// `GET /api/contacts/{id}`
    func contact(_ request: APIRequest) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.caller.account)
        let friend = try await read(request) { database in
            try ContactStore().friend(id, account: account, on: database)
        }
        return try answer(friend, to: request)
    }

    /// `POST /api/contacts`
    func addContact(_ request: APIRequest) async throws -> ServerResponse {
        let names = try await names(in: request)
        let account = request.caller.account
        let friend = Friend(
            sourceKey: "", name: names.complete, firstName: names.first, lastName: names.last ?? "",
            nickname: names.nickname ?? "", addresses: [])
        return try await write(request) { database in
            guard let id = try FriendEditor().addFriend(friend, account: account, on: database) else {
                preconditionFailure("an unused key is free")
            }
            let added = try ContactStore().friend(id, account: account, on: database)
            return try answer(added, to: request, status: 201).showing("\(request.form.base)/contacts/\(id)")
        }
    }

    /// `PUT /api/contacts/{id}`
    func changeContact(_ request: APIRequest) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.caller.account)
        let given = try await names(in: request)
        return try await write(request) { database in
            try require(request, contact: id, on: database)
            let names = try given.isWhole ? given : completed(given, of: id, account: account, on: database)
            let isThere = try FriendEditor().rename(
                id, name: names.complete, firstName: names.first, lastName: names.last ?? "",
                nickname: names.nickname ?? "", account: account, on: database)
            guard isThere else { throw RequestError.notFound }
            let changed = try ContactStore().friend(id, account: account, on: database)
            return try answer(changed, to: request).showing(request.path)
        }
    }

    private func completed(
        _ names: ContactNames, of id: Int, account: Int, on database: isolated Connection
    ) throws -> ContactNames {
        guard try FriendEditor().lock(friend: id, account: account, on: database),
            let friend = try ContactStore().friend(id, account: account, on: database)
        else { throw RequestError.notFound }
        return names.completed(by: friend)
    }

    /// `DELETE /api/contacts/{id}`
    func removeContact(_ request: APIRequest) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, contact: id, on: database)
            guard try FriendEditor().remove([id], account: account, on: database) > 0 else {
                throw RequestError.notFound
            }
            return .deleted(id, isText: request.form == .monica)
        }
    }

    /// Refuses a write to a contact that does not fulfil the client's conditions.
    private func require(_ request: APIRequest, contact id: Int, on database: isolated Connection) throws {
        let account = request.caller.account
        try request.require {
            guard try FriendEditor().lock(friend: id, account: account, on: database) else {
                throw RequestError.notFound
            }
            return try answer(ContactStore().friend(id, account: account, on: database), to: request)
        }
    }

    /// `GET /api/countries`: all countries without pages. Monica's clients get them by code, in the order of their
    /// names.
    func countries(_ request: APIRequest) async throws -> ServerResponse {
        var response = countryList(for: request)
        // The list only changes with a new version of the program.
        response.headers["Cache-Control"] = "private, max-age=86400"
        return response
    }

    private func countryList(for request: APIRequest) -> ServerResponse {
        .json { json in
            json.object { json in
                switch request.form {
                case .app: json.list("data", Country.all) { $0.country($1, in: .app) }
                case .monica:
                    json.object("data") { json in
                        for country in Self.namedCountries {
                            json.member(country.code.lowercased()) { $0.country(country, in: .monica) }
                        }
                    }
                }
            }
        }
    }

    private static let namedCountries: [Country] = {
        let named = Country.all.map { (name: Folding.loose($0.name), country: $0) }
        return named.sorted { $0.name < $1.name }.map(\.country)
    }()

    private func names(in request: APIRequest) async throws -> ContactNames {
        var fields = try await request.fields()
        let names = ContactNames(&fields, in: request.form, isChange: request.http.method != .post)
        try fields.finish()
        return names
    }

    private func answer(
        _ friend: FriendRecord?, to request: APIRequest, status: Int = 200
    ) throws -> ServerResponse {
        guard let friend else { throw RequestError.notFound }
        let hasFields = request.form == .monica && request.http.query("with") == "contactfields"
        return .json(status) { json in
            json.object { json in
                json.member("data") { $0.contact(friend, for: request.audience, withFields: hasFields) }
            }
        }
    }
}

extension ServerResponse {
    /// Monica repeats the id of a contact as a text from the path, and that of an address as a number.
    static func deleted(_ id: Int, isText: Bool = false) -> ServerResponse {
        .json { json in
            json.object { json in
                json.member("deleted", true)
                if isText { json.member("id", "\(id)") } else { json.member("id", id) }
            }
        }
    }
}
