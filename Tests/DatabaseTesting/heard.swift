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

extension Database {
    /// Listens on a connection of its own, and again whenever that breaks, until the task that iterates over the stream
    /// ends.
    package func listen(on channels: [String]) -> AsyncStream<Hearing> {
        AsyncStream { stream in
            let task = Task {
                let kept = KeptConnection(beside: self, waitLimit: .seconds(600))
                while !Task.isCancelled {
                    try? await kept.keep(listeningTo: channels, every: .seconds(600), hear: { stream.yield($0) }) { _ in
                    }
                }
                await kept.close()
                stream.finish()
            }
            stream.onTermination = { _ in task.cancel() }
        }
    }
}
