import Contacts
package import HTTP
package import Postgres
package import Processes
package import Sinks

/// Calls the webhooks of files whose addresses are all answered. Any number of coordinators may do this.
package struct FileNotices: Service {
    package let name = "file notices"

    let database: Database
    let keys: @Sendable () throws -> SealingKeys?
    let options: HTTPClient.Options
    let allowsPrivateAddresses: Bool
    let log: Log

    private static let atOnce = 10
    private static let interval: Duration = .seconds(2)

    /// `keys` open the secrets. `allowsPrivateAddresses` is for tests.
    package init(
        database: Database, keys: @escaping @Sendable () throws -> SealingKeys?, _ options: HTTPClient.Options,
        allowsPrivateAddresses: Bool = false, log: Log
    ) {
        (self.database, self.keys, self.log) = (database, keys, log)
        self.options = options
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }

    package func run(ready: @escaping @Sendable () -> Void) async throws {
        ready()
        repeat {
            do { while try await sendDue() == Self.atOnce {} } catch {
                // The next round comes by itself.
                if !(error is CancellationError) { log.warning("can't call webhooks of files", ["error": "\(error)"]) }
            }
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// Sends the messages that are due, and returns how many.
    package func sendDue() async throws -> Int {
        let notices = try await database.transaction { try FileRunStore().takeNotices(Self.atOnce, on: $0) }
        await withTaskGroup { group in
            for notice in notices { group.addTask { await self.send(notice) } }
        }
        return notices.count
    }

    private func send(_ notice: FileNotice) async {
        do {
            guard let secret = try keys()?.open(notice.sealed, for: notice.context) else { throw NoSealingKey() }
            var settings = SinkSettings()
            (settings.url, settings.allowsPrivateAddresses) = (notice.url, allowsPrivateAddresses ? true : nil)
            let sink = try SinkDescription(kind: .webhook, settings: settings, secret: secret).makeWebhook(options)
            var isAccepted = true
            do throws(SinkError) {
                try await sink.tell(
                    FileNews(
                        run: notice.run, rows: notice.contacts, refused: notice.refused, addresses: notice.addresses,
                        weak: notice.weak, byStatus: notice.byStatus, finishedAt: notice.finishedAt))
            } catch {
                isAccepted = false
                log.warning("a file's webhook failed", ["run": notice.run, "error": "\(error)"])
            }
            await sink.http.close()
            try await database.run { [isAccepted] in
                try FileRunStore().finish(notice, isAccepted: isAccepted, on: $0)
            }
        } catch {
            // Another attempt comes after a minute.
            log.warning("can't call a file's webhook", ["run": notice.run, "error": "\(error)"])
        }
    }
}
