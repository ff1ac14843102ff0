import HTTP
import JSON
import Processes

/// A message to a webhook: friends of an account, or their places, have changed. It contains counts, but no name,
/// address or place.
package struct PlaceNews: Sendable {
    let sink: Int
    /// The last change that the message covers.
    package let changedIn: Int
    let addresses: Int
    let waiting: Int
    let located: Int
    /// When the first of the changes was noticed, in seconds since 1970.
    let noticedAt: Double

    package init(sink: Int, changedIn: Int, addresses: Int, waiting: Int, located: Int, noticedAt: Double) {
        self.sink = sink
        self.changedIn = changedIn
        self.addresses = addresses
        self.waiting = waiting
        self.located = located
        self.noticedAt = noticedAt
    }

    /// A digest of the content, so that each attempt has the same id.
    var id: String {
        Digest.identifier(
            of: "places \(sink) \(changedIn) \(addresses) \(waiting) \(located) \(noticedAt)".utf8)
    }

    var message: [UInt8] {
        JSONWriter.bytes { json in
            json.object { json in
                json.member("type", waiting == 0 ? "places.complete" : "places.changed")
                json.member("timestamp", Timestamp.text(noticedAt))
                json.object("data") { json in
                    json.member("addresses", addresses)
                    json.member("waiting", waiting)
                    json.member("located", located)
                }
            }
        }
    }
}
