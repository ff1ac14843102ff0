/// The steps of a ``ScriptedServer`` for one request.
package struct ScriptedAnswer: Sendable {
    package enum Step: Sendable {
        case send([UInt8])
        /// Sends byte by byte at this interval, until the client closes the connection.
        case trickle([UInt8], every: Duration)
        /// Sends nothing until the client closes the connection.
        case hang
        case close
    }

    package var steps: [Step]

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    /// A complete, well-formed reply.
    package static func status(
        _ status: Int, _ headers: [(String, String)] = [], body: [UInt8] = []
    ) -> Self {
        Self([.send(head(status, headers + [("Content-Length", "\(body.count)")]) + body)])
    }

    /// A complete, well-formed reply with a text, by default JSON.
    package static func json(
        _ text: String, status: Int = 200, type: String = "application/json", headers: [(String, String)] = []
    ) -> Self {
        .status(status, [("Content-Type", type)] + headers, body: Array(text.utf8))
    }

    package static func redirect(to url: String, status: Int = 302) -> Self {
        .status(status, [("Location", url)])
    }

    /// Promises more than it sends, then closes the connection.
    package static func truncated(_ text: String, promising size: Int) -> Self {
        Self([.send(head(200, [("Content-Length", "\(size)")]) + Array(text.utf8)), .close])
    }

    /// A reply of one character per pause.
    package static func trickle(_ text: String, every pause: Duration) -> Self {
        Self([
            .send(head(200, [("Content-Length", "\(text.utf8.count)")])), .trickle(Array(text.utf8), every: pause),
        ])
    }

    /// Bytes that need not be HTTP, then the end of the connection.
    package static func raw(_ text: String) -> Self { Self([.send(Array(text.utf8)), .close]) }

    /// Sends nothing until the client gives up.
    package static let hang = Self([.hang])

    /// Closes the connection without a reply.
    package static let close = Self([.close])

    private static func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status) Scripted"] + headers.map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
