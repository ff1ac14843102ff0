package import Postgres

/// Returns the notifications on `channels` until `body` returns, each as `CHANNEL PAYLOAD`.
package func heard(
    on channels: [String], in database: Database, while body: () async throws -> Void
) async throws -> [String] {
    var hearings = database.listen(on: channels).makeAsyncIterator()
    while await hearings.next() != .listening {}
    try await body()
    try await database.run { try $0.query("SELECT pg_notify(\(channels[0]), 'the end')") }
    var heard: [String] = []
    while case .heard(let notification) = await hearings.next(), notification.payload != "the end" {
        heard.append("\(notification.channel) \(notification.payload)")
    }
    return heard
}
