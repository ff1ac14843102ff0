import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres

extension APIServer {
    /// `GET /api/contacts`
    func contacts(_ request: APIRequest) async throws -> ServerResponse {
        let asked = try PageRequest(request.http)
        let caller = request.caller
        let origin = request.http.origin
        return try await backend.database(of: caller.account).run { database in
            let contacts = ContactStore()
            let (ids, total) =
                if let query = asked.query {
                    try contacts.page(asked.page, query: query, account: caller.account, on: database)
                } else {
                    try contacts.page(asked.page, account: caller.account, marks: marks, on: database)
                }
            let friends = try contacts.friends(ids, account: caller.account, on: database)
            return asked.response(friends, total: total) { json, friend in
                json.contact(friend, of: caller, at: origin)
            }
        }
    }

    /// `GET /api/contacts/{id}`
    func contact(_ request: APIRequest) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.caller.account)
        let friend = try await backend.database(of: account).run { database in
            try ContactStore().friend(id, account: account, on: database)
        }
        return try answer(friend, to: request)
    }

    /// `POST /api/contacts`
    func addContact(_ request: APIRequest) async throws -> ServerResponse {
        let friend = try await friend(in: request)
        let account = request.caller.account
        return try await write(request) { database in
            guard let id = try FriendEditor().addFriend(friend, account: account, on: database) else {
                preconditionFailure("a key that nobody has is free")
            }
            let added = try ContactStore().friend(id, account: account, on: database)
            return try answer(added, to: request, status: 201).showing("/api/contacts/\(id)")
        }
    }

    /// `PUT /api/contacts/{id}`
    func changeContact(_ request: APIRequest) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.caller.account)
        let friend = try await friend(in: request)
        return try await write(request) { database in
            try require(request, contact: id, on: database)
            let isThere = try FriendEditor().rename(
                id, name: friend.name, firstName: friend.firstName, lastName: friend.lastName,
                nickname: friend.nickname, account: account, on: database)
            guard isThere else { throw RequestError.notFound }
            let changed = try ContactStore().friend(id, account: account, on: database)
            return try answer(changed, to: request).showing(request.path)
        }
    }

    /// `DELETE /api/contacts/{id}`
    func removeContact(_ request: APIRequest) async throws -> ServerResponse {
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, contact: id, on: database)
            guard try FriendEditor().remove([id], account: account, on: database) > 0 else {
                throw RequestError.notFound
            }
            return .deleted(id)
        }
    }

    /// Refuses a write to a contact that is not what the client wants it to be.
    private func require(_ request: APIRequest, contact id: Int, on database: isolated Connection) throws {
        let account = request.caller.account
        try request.require {
            guard try FriendEditor().lock(friend: id, account: account, on: database) else {
                throw RequestError.notFound
            }
            return try answer(ContactStore().friend(id, account: account, on: database), to: request)
        }
    }

    /// `GET /api/countries`: all of them at once.
    func countries(_ request: APIRequest) async throws -> ServerResponse {
        .json { json in
            json.object { json in json.list("data", Country.all) { $0.country($1) } }
        }
    }

    private func friend(in request: APIRequest) async throws -> Friend {
        var fields = try await request.fields()
        let (first, last) = (fields.requiredText("first_name"), fields.text("last_name"))
        let nickname = fields.text("nickname")
        try fields.finish()
        let name = [first, last].filter { !$0.isEmpty }.joined(separator: " ")
        return Friend(
            sourceKey: "", name: name, firstName: first, lastName: last, nickname: nickname, addresses: [])
    }

    private func answer(
        _ friend: FriendRecord?, to request: APIRequest, status: Int = 200
    ) throws -> ServerResponse {
        guard let friend else { throw RequestError.notFound }
        let origin = request.http.origin
        return .json(status) { json in
            json.object { json in json.member("data") { $0.contact(friend, of: request.caller, at: origin) } }
        }
    }
}

extension ServerResponse {
    /// As Monica says it.
    static func deleted(_ id: Int) -> ServerResponse {
        .json { json in
            json.object { json in
                json.member("deleted", true)
                json.member("id", id)
            }
        }
    }
}
