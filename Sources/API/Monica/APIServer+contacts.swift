import Access
import Contacts
import Formats
import Geocoding
import HTTP
import JSON
import Postgres
import Shapes

extension APIServer {
    /// A route in Monica's format, which ignores unknown parameters.
    func monica<Output>(
        _ method: ServerRequest.Method, _ pattern: String, _ scope: AccessScope, is traits: APIRoute.Traits = [],
        _ session: Session, _ body: @escaping @Sendable (APIRequest, isolated Connection) throws -> Reply<Output>
    ) -> APIRoute {
        APIRoute(monica: method, pattern, scope, is: traits) { request in
            try await run(session, request) { try body(request, $0) }
        }
    }

    @ListBuilder<APIRoute> var contactRoutes: [APIRoute] {
        APIRoute(monica: .get, "/api/contacts", .read, contacts)
            .described(
                "getContacts", "Lists contacts", query: PageRequest.fields + PageRequest.nameFields,
                .ok("A page of contacts."))
        APIRoute(monica: .post, "/api/contacts", .write, addContact)
            .described(
                "postContacts", "Adds a contact", body: .json(MonicaModels.contactInput), .made("The contact."))
        monica(.get, "/api/contacts/{id}", .read, .read) { try contact($0.id(), $0, on: $1) }
            .described("getContact", "Shows a contact", .ok("The contact."))
        APIRoute(monica: .put, "/api/contacts/{id}", .write, is: .conditional, changeContact)
            .described(
                "putContact", "Changes a contact", body: .json(MonicaModels.contactInput), .stored("The contact."))
        monica(.delete, "/api/contacts/{id}", .write, is: .conditional, .write) { request, db in
            let id = try request.id()
            try require(request, contact: id, on: db)
            guard try FriendEditor().remove([id], account: request.account, on: db) > 0 else {
                throw RequestError.notFound
            }
            return Reply(MonicaDeleted(id: id))
        }
        .described("deleteContact", "Removes a contact", .ok("It is deleted."), refuses: [422])
        APIRoute(monica: .get, "/api/countries", .read) { _ in
            var reply = Reply(MonicaCountries())
            // The list only changes with a new version of the program.
            reply.response.headers["Cache-Control"] = "private, max-age=86400"
            return reply
        }
        .described("getCountries", "Lists all countries", .ok("The countries."))
    }

    private func contacts(_ request: APIRequest) async throws -> Reply<MonicaPage<MonicaContact>> {
        let (asked, account, audience) = (try PageRequest(request), request.account, request.audience)
        return try await read(request) { database in
            let contacts = ContactStore()
            let (ids, total) =
                if let query = asked.query {
                    try contacts.page(asked.page, query: query, account: account, on: database)
                } else {
                    try contacts.page(asked.page, account: account, marks: marks, on: database)
                }
            let friends = try contacts.friends(ids, with: .addressTimes, account: account, on: database)
            return asked.reply(friends.map { MonicaContact(friend: $0, audience: audience) }, total: total)
        }
    }

    private func addContact(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaContact>> {
        let names = try await names(in: request)
        let friend = Friend(
            sourceKey: "", name: names.complete, firstName: names.first, lastName: names.last,
            nickname: names.nickname, addresses: [])
        return try await write(request) { database in
            guard let id = try FriendEditor().addFriend(friend, account: request.account, on: database) else {
                preconditionFailure("an unused key is free")
            }
            return try contact(id, request, status: 201, on: database).showing("/api/contacts/\(id)")
        }
    }

    private func changeContact(_ request: APIRequest) async throws -> Reply<MonicaAnswer<MonicaContact>> {
        let (id, names) = (try request.id(), try await names(in: request))
        return try await write(request) { database in
            try require(request, contact: id, on: database)
            let isThere = try FriendEditor().rename(
                id, name: names.complete, firstName: names.first, lastName: names.last, nickname: names.nickname,
                account: request.account, on: database)
            guard isThere else { throw RequestError.notFound }
            return try contact(id, request, on: database).showing(request.path)
        }
    }

    /// Refuses a write to a contact that does not fulfil the client's conditions.
    private func require(_ request: APIRequest, contact id: Int, on database: isolated Connection) throws {
        try request.require {
            guard try FriendEditor().lock(friend: id, account: request.account, on: database) else {
                throw RequestError.notFound
            }
            return try contact(id, request, on: database).response
        }
    }

    private func contact(
        _ id: Int, _ request: APIRequest, status: Int = 200, on database: isolated Connection
    ) throws -> Reply<MonicaAnswer<MonicaContact>> {
        let friend = try ContactStore().friend(id, account: request.account, on: database).orThrow(.notFound)
        return Reply(MonicaAnswer(item: MonicaContact(friend: friend, audience: request.audience)), status: status)
    }

    private func names(in request: APIRequest) async throws -> ContactNames {
        var fields = try await request.fields()
        let names = ContactNames(&fields)
        try fields.finish()
        return names
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
