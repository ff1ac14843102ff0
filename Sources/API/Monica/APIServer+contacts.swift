import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Shapes

extension APIServer {
    /// `GET /api/contacts`
    func contacts(_ request: APIRequest) async throws -> Reply<MonicaPage<MonicaContact>> {
        let asked = try PageRequest(request)
        let (caller, audience) = (request.caller, request.audience)
        return try await read(request) { database in
            let contacts = ContactStore()
            let (ids, total) =
                if let query = asked.query {
                    try contacts.page(asked.page, query: query, account: caller.account, on: database)
                } else {
                    try contacts.page(asked.page, account: caller.account, marks: marks, on: database)
                }
            let friends = try contacts.friends(ids, with: .addressTimes, account: caller.account, on: database)
            return asked.reply(friends.map { MonicaContact(friend: $0, audience: audience) }, total: total)
        }
    }

    /// `GET /api/contacts/{id}`
    func contact(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaContact>> {
        let (id, account) = (try request.id(), request.caller.account)
        let friend = try await read(request) { database in
            try ContactStore().friend(id, account: account, on: database)
        }
        return try answer(friend, to: request)
    }

    /// `POST /api/contacts`
    func addContact(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaContact>> {
        let names = try await names(in: request)
        let account = request.caller.account
        let friend = Friend(
            sourceKey: "", name: names.complete, firstName: names.first, lastName: names.last,
            nickname: names.nickname, addresses: [])
        return try await write(request) { database in
            guard let id = try FriendEditor().addFriend(friend, account: account, on: database) else {
                preconditionFailure("an unused key is free")
            }
            let added = try ContactStore().friend(id, account: account, on: database)
            return try answer(added, to: request, status: 201).showing("/api/contacts/\(id)")
        }
    }

    /// `PUT /api/contacts/{id}`
    func changeContact(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaContact>> {
        let (id, account) = (try request.id(), request.caller.account)
        let names = try await names(in: request)
        return try await write(request) { database in
            try require(request, contact: id, on: database)
            let isThere = try FriendEditor().rename(
                id, name: names.complete, firstName: names.first, lastName: names.last, nickname: names.nickname,
                account: account, on: database)
            guard isThere else { throw RequestError.notFound }
            let changed = try ContactStore().friend(id, account: account, on: database)
            return try answer(changed, to: request).showing(request.path)
        }
    }

    /// `DELETE /api/contacts/{id}`
    func removeContact(_ request: APIRequest) async throws -> Reply<MonicaDeleted> {
        let (id, account) = (try request.id(), request.caller.account)
        return try await write(request) { database in
            try require(request, contact: id, on: database)
            guard try FriendEditor().remove([id], account: account, on: database) > 0 else {
                throw RequestError.notFound
            }
            return Reply(MonicaDeleted(id: id))
        }
    }

    /// Refuses a write to a contact that does not fulfil the client's conditions.
    private func require(_ request: APIRequest, contact id: Int, on database: isolated Connection) throws {
        let account = request.caller.account
        try request.require {
            guard try FriendEditor().lock(friend: id, account: account, on: database) else {
                throw RequestError.notFound
            }
            return try answer(ContactStore().friend(id, account: account, on: database), to: request).response
        }
    }

    /// `GET /api/countries`: all countries without pages.
    func countries(_ request: APIRequest) async throws -> Reply<MonicaCountries> {
        var reply = Reply(MonicaCountries())
        // The list only changes with a new version of the program.
        reply.response.headers["Cache-Control"] = "private, max-age=86400"
        return reply
    }

    private func names(in request: APIRequest) async throws -> ContactNames {
        var fields = try await request.fields()
        let names = ContactNames(&fields)
        try fields.finish()
        return names
    }

    private func answer(
        _ friend: FriendRecord?, to request: APIRequest, status: Int = 200
    ) throws -> Reply<MonicaAnswer<MonicaContact>> {
        guard let friend else { throw RequestError.notFound }
        return Reply(
            MonicaAnswer(item: MonicaContact(friend: friend, audience: request.audience)), status: status)
    }
}

/// The names of a contact in a body. A missing name is empty, and middle names are not supported.
struct ContactNames {
    let first, last, nickname: String

    init(_ fields: inout RequestReader) {
        first = fields.requiredText("first_name", example: "Ada")
        last = fields.text("last_name", example: "Lovelace") ?? ""
        nickname = fields.text("nickname") ?? ""
    }

    var complete: String { [first, last].filter { !$0.isEmpty }.joined(separator: " ") }
}
