import Glibc
import Processes

/// A server on 127.0.0.1 that sends exactly what a test decides, including wrong bytes and silence.
///
///     let server = try ScriptedServer { request in
///         request.path == "/search" ? .json("[]") : .status(404)
///     }
///     defer { server.stop() }
///     … server.url …; server.requests[0].query["q"]
///
/// It has a thread for each connection, and answers the requests of a connection in order.
package final class ScriptedServer: Sendable {
    package let port: Int
    /// Reports each client that closed its connection while it was kept waiting.
    package let hangUps: AsyncStream<Void>
    /// Reports each request when it is complete.
    package let arrivals: AsyncStream<ScriptedRequest>

    private let listener: Int32
    private let answer: @Sendable (ScriptedRequest) -> ScriptedAnswer
    private let state = Locked(State())
    private let hungUp: AsyncStream<Void>.Continuation
    private let arrived: AsyncStream<ScriptedRequest>.Continuation

    private struct State {
        var requests: [ScriptedRequest] = []
        var accepted = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    package init(_ answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer) throws {
        self.answer = answer
        (hangUps, hungUp) = AsyncStream.makeStream()
        (arrivals, arrived) = AsyncStream.makeStream()
        (listener, port) = try listenOnLoopback()
        startThread { self.accept() }
    }

    /// `http://127.0.0.1:PORT`
    package var url: String { "http://127.0.0.1:\(port)" }

    /// All requests so far, in the order of their completion.
    package var requests: [ScriptedRequest] { state.withLock { $0.requests } }

    /// The number of connections so far.
    package var connections: Int { state.withLock { $0.accepted } }

    /// Closes everything. Waiting clients see their connections break.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
        hungUp.finish()
        arrived.finish()
    }

    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let isWelcome = state.withLock { state in
                state.accepted += 1
                if !state.isStopped { state.open.insert(connection) }
                return !state.isStopped
            }
            guard isWelcome else {
                close(connection)
                continue
            }
            startThread {
                self.serve(connection)
                // Under the lock, so that `stop` never closes another connection that got the same number.
                self.state.withLock { state in
                    state.open.remove(connection)
                    close(connection)
                }
            }
        }
        close(listener)
    }

    private func serve(_ connection: Int32) {
        var reader = RequestReader(connection)
        while let request = reader.next() {
            state.withLock { $0.requests.append(request) }
            arrived.yield(request)
            for step in answer(request).steps {
                guard perform(step, on: connection) else { return }
            }
        }
    }

    /// Returns false if the connection is to be closed.
    private func perform(_ step: ScriptedAnswer.Step, on connection: Int32) -> Bool {
        switch step {
        case .send(let bytes): return sendAll(bytes, on: connection)
        case .trickle(let bytes, let pause):
            for byte in bytes {
                guard sendAll([byte], on: connection) else { return false }
                if isHungUp(connection, within: pause) { return false }
            }
            return true
        case .hang:
            while !isHungUp(connection, within: .seconds(60)) {}
            hungUp.yield()
            return false
        case .close: return false
        }
    }
}
