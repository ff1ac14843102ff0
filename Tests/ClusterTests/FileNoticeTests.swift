import Cluster
import Contacts
import DatabaseTesting
import HTTP
import HTTPTesting
import Postgres
import Processes
import Sinks
import Testing

/// The webhook of a file, as its receiver sees it. The sender has only the rights of a coordinator.
@Suite(.database)
struct FileNoticeTests {
    private let receiver: ScriptedServer
    private let answers = Locked<[Int]>([])
    private let keys: SealingKeys
    private let secret = WebhookSecret.newSecret()
    private let lines = Locked<[String]>([])

    init() throws {
        keys = try SealingKeys(SealingKeys.newKey())
        receiver = try ScriptedServer { [answers] _ in
            .status(answers.withLock { $0.isEmpty ? 204 : $0.removeFirst() })
        }
    }

    /// Stores a file with one address that is answered, and with a webhook.
    private func prepare() async throws {
        try await Database.test.run { [keys, secret, receiver] db throws in
            let account = try ContactStore().openAccount(named: "default", on: db)
            try db.query(
                """
                INSERT INTO geocodes (hash, street, city, region, postcode, country, chain, status, latitude, longitude,
                                      precision, provider, placemark, confidence, geocoded_at)
                SELECT sha256('a'), '', 'Reno', '', '', '', max(id), 'located', 39.5, -119.8, 'city', 'far', '{}', 0.9, now()
                FROM chains
                """)
            let row = try db.query(
                """
                INSERT INTO file_runs (account, digest, name, settings, file, contacts, refused, pinned, hashes)
                VALUES (\(account), sha256('f'), 'ada-secret.csv', '{}', 'x', 3, 1, 1, ARRAY[sha256('a'), sha256('a')])
                RETURNING id, digest
                """)[0]
            let context = FileRun.sealingContext(try row.read("digest", as: Bytes.self).bytes, of: account)
            try FileRunStore().setNotice(
                receiver.url + "/done?key=secret", sealed: keys.seal(secret, for: context), of: row.read("id"),
                account: account, on: db)
        }
    }

    private func expire() async throws {
        let worker = try Database.test(as: "waypost_worker")
        _ = try await worker.run { try FileRunStore().expire(on: $0) }
        await worker.close()
    }

    private func send(isTold: Bool = true, allowsPrivateAddresses: Bool = true) async throws -> Int {
        let worker = try Database.test(as: "waypost_worker")
        let notices = FileNotices(
            database: worker, keys: { [keys] in keys }, HTTPClient.Options(userAgent: "Waypost"),
            allowsPrivateAddresses: allowsPrivateAddresses,
            log: Log(format: .logfmt) { [lines] line in lines.withLock { $0.append("\(line)") } })
        let count = try await notices.sendDue()
        await worker.close()
        return count
    }

    private func makeDue() async throws {
        try await Database.test.query("UPDATE file_runs SET notify_at = now() WHERE notify_at IS NOT NULL")
    }

    @Test func `a receiver that fails twice gets the same signed message three times, and then none`() async throws {
        defer { receiver.stop() }
        try await prepare()
        #expect(try await send() == 0)
        try await expire()
        answers.withLock { $0 = [500, 410] }
        for _ in 0..<3 {
            #expect(try await send() == 1)
            #expect(try await send() == 0)
            try await makeDue()
        }
        #expect(try await send() == 0)
        let requests = receiver.requests
        #expect(requests.count == 3 && Set(requests.map(\.body)).count == 1)
        #expect(Set(requests.map { $0.headers["webhook-id"] }).count == 1)
        let request = try #require(requests.last)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(
            body.hasPrefix(#"{"type":"file.done","timestamp":"20"#) && !body.contains("ada") && !body.contains("Reno"))
        #expect(
            body.hasSuffix(
                #""state":"done","rows":3,"refused":1,"addresses":3,"by_status":{"waiting":0,"located":3,"needs_review":0,"not_found":0,"failed":0,"forgotten":0},"weak":0}}"#
            ), "\(body)")
        let (id, time) = (request.headers["webhook-id"] ?? "", Int(request.headers["webhook-timestamp"] ?? "") ?? 0)
        #expect(
            request.headers["webhook-signature"]
                == (try WebhookSecret(secret).signature(of: request.body, id: id, timestamp: time)))
        #expect(lines.withLock(\.count) == 2 && !lines.withLock(\.self).joined().contains("key=secret"))
    }

    @Test func `a message that was taken by a process that died is taken again`() async throws {
        defer { receiver.stop() }
        try await prepare()
        try await expire()
        let taken = try await Database.test.run { try FileRunStore().takeNotices(10, on: $0).count }
        #expect(taken == 1)
        #expect(try await send() == 0)
        try await makeDue()
        #expect(try await send() == 1 && receiver.requests.count == 1)
    }

    @Test func `no request goes to a private address, and another webhook takes the place of the first`() async throws {
        defer { receiver.stop() }
        try await prepare()
        try await expire()
        #expect(try await send(allowsPrivateAddresses: false) == 1)
        #expect(receiver.requests.isEmpty && lines.withLock(\.count) == 1)
        try await Database.test.run { [keys, secret, receiver] db throws in
            let row = try db.query("SELECT id, account, digest FROM file_runs")[0]
            let account: Int = try row.read("account")
            let context = FileRun.sealingContext(try row.read("digest", as: Bytes.self).bytes, of: account)
            try FileRunStore().setNotice(
                receiver.url + "/other", sealed: keys.seal(secret, for: context), of: row.read("id"), account: account,
                on: db)
        }
        #expect(try await send() == 1)
        #expect(receiver.requests.map(\.target) == ["/other"])
    }
}
