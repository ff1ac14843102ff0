import HTTP
import JSON
import Processes

/// A message to a webhook: no address of a file waits any more. It contains counts, but no name, address or place.
package struct FileNews: Sendable {
    private let run: Int
    /// The same bytes in each attempt, while the answers stay.
    let message: [UInt8]

    /// `finishedAt` is in seconds since 1970.
    package init(
        run: Int, rows: Int, refused: Int, addresses: Int, weak: Int, byStatus: [(status: String, addresses: Int)],
        finishedAt: Double
    ) {
        self.run = run
        message = JSONWriter.bytes { json in
            json.object { json in
                json.member("type", "file.done")
                json.member("timestamp", Timestamp.text(finishedAt))
                json.object("data") { json in
                    json.member("id", run)
                    json.member("state", "done")
                    json.member("rows", rows)
                    json.member("refused", refused)
                    json.member("addresses", addresses)
                    json.object("by_status") { json in
                        for (status, addresses) in byStatus { json.member(status, addresses) }
                    }
                    json.member("weak", weak)
                }
            }
        }
    }

    /// A digest of the content, so that each attempt has the same id.
    var id: String { Digest.identifier(of: Array("file \(run) ".utf8) + message) }
}
