import Foundation
import Glibc
import Processes

/// A provider that records the time of each call: an HTTP server in its own process, with the kernel's clock.
///
/// The kernel stamps a request on arrival, which over loopback is also the time of sending. So a delayed read by this
/// process does not matter, on a machine where everything else is killed and stopped.
final class Recorder {
    private let listener: Int32
    private let port: UInt16
    private var faults: ProviderFaults
    private var connections: [Int32: Connection] = [:]
    /// Replies still to be sent, the last one first.
    private var answers: [(due: Double, socket: Int32, number: Int, body: String)] = []
    private var began: Double?
    private var accepted = 0
    private var isEnding = false
    private var lines: [UInt8] = []

    private struct Connection {
        let number: Int
        var head: [UInt8] = []
        var requests = 0
    }

    init(_ faults: ProviderFaults) throws {
        _ = OpenFiles.limit
        self.faults = faults
        listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        // Accepted sockets inherit this option.
        var on: Int32 = 1
        guard isListening, setsockopt(listener, SOL_SOCKET, SO_TIMESTAMPNS, &on, 4) == 0, listen(listener, 4_096) == 0
        else { throw ChaosError("can't open the recorder's socket: \(String(cString: strerror(errno)))") }
        port = address.sin_port.bigEndian
    }

    /// Prints the port, then a line for each call, until a request for `/end`.
    func run() {
        print(port)
        fflush(nil)
        while !isEnding {
            var waits = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            waits += connections.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let pause = answers.last.map { max(0, $0.due - wallTime()) * 1_000 } ?? 1_000
            poll(&waits, nfds_t(waits.count), Int32(pause.rounded(.up)))
            for wait in waits where wait.revents != 0 {
                if wait.fd == listener { accept() } else { read(wait.fd) }
            }
            giveAnswers()
            // Others read the calls while it runs.
            if waits.allSatisfy({ $0.revents == 0 }) { write() }
        }
        write()
    }

    private func accept() {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else { return }
            _ = fcntl(socket, F_SETFL, O_NONBLOCK)
            accepted += 1
            connections[socket] = Connection(number: accepted)
        }
    }

    private func hangUp(_ socket: Int32) {
        connections[socket] = nil
        close(socket)
    }

    private func read(_ socket: Int32) {
        guard let (bytes, at) = receive(socket), !bytes.isEmpty else { return hangUp(socket) }
        connections[socket]?.head += bytes
        guard let head = connections[socket]?.head, head.suffix(4) == Array("\r\n\r\n".utf8)[...] else { return }
        connections[socket]?.head = []
        note(String(decoding: head, as: UTF8.self), from: socket, at)
    }

    private func note(_ head: String, from socket: Int32, _ at: Int) {
        let words = head.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[1] != "/end" else { return isEnding = true }
        let moment = Double(at) / 1e9
        began = began ?? moment
        let isKept = (connections[socket]?.requests ?? 0) > 0
        connections[socket]?.requests += 1
        let answer = faults.answer(at: moment - (began ?? moment), isOnKeptConnection: isKept)
        lines += Array("\(words[1]) \(at) \(answer.isGood ? "good" : "bad")\n".utf8)
        if lines.count > 1 << 16 { write() }
        switch answer {
        case .hangUp: hangUp(socket)
        case .redirect: send("HTTP/1.1 302 Found\r\nLocation: \(words[1])\r\nContent-Length: 0\r\n\r\n", to: socket)
        case .good(let delay):
            guard let number = connections[socket]?.number else { return }
            let due = wallTime() + delay
            let place = answers.lastIndex { $0.due >= due }.map { $0 + 1 } ?? 0
            answers.insert((due, socket, number, Self.body(to: words[1])), at: place)
        }
    }

    /// Nothing was found, as Nominatim says it, and as Photon and Pelias do. An invented service finds a place. Workers of
    /// a trial read only the status.
    private static func body(to path: Substring) -> String {
        if path.hasPrefix("/search?") { return "[]" }
        if path.hasPrefix("/api?") || path.hasPrefix("/v1/") { return #"{"features":[]}"# }
        return #"{"places":[{"lat":52.5,"lon":13.4,"type":"house"}]}"#
    }

    private func giveAnswers() {
        let now = wallTime()
        while let answer = answers.last, answer.due <= now {
            answers.removeLast()
            // The socket's number may meanwhile belong to another connection.
            guard connections[answer.socket]?.number == answer.number else { continue }
            send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(answer.body.utf8.count)\r\n\r\n"
                    + answer.body, to: answer.socket)
        }
    }

    private func send(_ text: String, to socket: Int32) {
        var text = text
        text.withUTF8 { _ = Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func write() {
        if lines.isEmpty { return }
        lines.withUnsafeBytes { _ = Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        lines = []
    }

    /// The received bytes and the nanosecond of their arrival in the kernel; nil at the end of the connection.
    private func receive(_ socket: Int32) -> (bytes: [UInt8], at: Int)? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        // A header of two words, then the timespec: https://man7.org/linux/man-pages/man3/cmsg.3.html
        var control = [Int](repeating: 0, count: 16)
        let result: (count: Int, at: Int)? = bytes.withUnsafeMutableBytes { buffer in
            control.withUnsafeMutableBytes { controlBytes in
                var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    message.msg_iov = vector
                    message.msg_iovlen = 1
                    message.msg_control = controlBytes.baseAddress
                    message.msg_controllen = controlBytes.count
                    let count = recvmsg(socket, &message, 0)
                    guard count > 0, message.msg_controllen >= 32 else { return nil }
                    let stamp = controlBytes.load(fromByteOffset: 16, as: timespec.self)
                    return (count, stamp.tv_sec * 1_000_000_000 + stamp.tv_nsec)
                }
            }
        }
        return result.map { (Array(bytes[..<$0.count]), $0.at) }
    }
}

/// This machine's clock, in seconds since 1970.
func wallTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
