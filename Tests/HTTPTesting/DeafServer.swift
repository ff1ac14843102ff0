import Glibc

/// A port on 127.0.0.1 that never accepts connections: its queue of one is full.
package struct DeafServer: Sendable {
    package let port: Int
    private let descriptors: [Int32]

    package init() throws {
        let (listener, port) = try listenOnLoopback(queue: 0)
        self.port = port
        // The kernel adds connections to the queue until it is full.
        descriptors = [listener] + (0..<3).map { _ in connectToLoopback(port) }
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    package func stop() {
        for descriptor in descriptors { close(descriptor) }
    }
}
