import CLinux
import Glibc

/// Reads a child's output from one pipe and passes it on.
struct OutputReader: Sendable {
    enum Sink: Sendable {
        case bytes(@Sendable ([UInt8]) -> Void)
        case lines(@Sendable (String) -> Void)
    }

    let descriptor: Int32
    let sink: Sink
    private var unfinishedLine: [UInt8] = []

    init(descriptor: Int32, sink: Sink) {
        self.descriptor = descriptor
        self.sink = sink
    }

    /// Reads as much as a pipe can hold, and passes it on. Returns false at the end of the pipe.
    mutating func read() -> Bool {
        let capacity = 65_536
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var result = Glibc.read(descriptor, buffer.baseAddress, capacity)
            while result == -1, errno == EINTR { result = Glibc.read(descriptor, buffer.baseAddress, capacity) }
            count = max(result, 0)
        }
        switch sink {
        case .bytes(let handOver): if !bytes.isEmpty { handOver(bytes) }
        case .lines(let handOver): split(bytes, handOver)
        }
        return !bytes.isEmpty
    }

    /// Passes on the last line if it has no newline, and closes the pipe.
    func finish() {
        if case .lines(let handOver) = sink, !unfinishedLine.isEmpty {
            handOver(String(decoding: unfinishedLine, as: UTF8.self))
        }
        close(descriptor)
    }

    private mutating func split(_ bytes: [UInt8], _ handOver: (String) -> Void) {
        var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = pieces.removeLast()
        for piece in pieces {
            handOver(String(decoding: unfinishedLine + piece, as: UTF8.self))
            unfinishedLine = []
        }
        unfinishedLine += rest
    }
}

/// Blocks until process `pid` has ended, and passes on its output meanwhile.
///
/// It doesn't wait for the ends of the pipes: a daemon that the child started may hold them forever, as `postgres` does
/// after `pg_ctl`. When the child has ended, its remaining output is in the pipe and fits in one read.
func read(_ readers: [OutputReader], untilProcessIsOver pid: Int32) {
    // Without a process handle (a kernel before 5.3), `poll` skips the -1. Then the loop waits for the ends of the
    // pipes.
    let handle = readers.isEmpty ? -1 : open_process(pid)
    defer { if handle >= 0 { close(handle) } }
    var readers = readers
    var isOver = false
    while !readers.isEmpty, !isOver {
        var polled = [pollfd(fd: handle, events: Int16(POLLIN), revents: 0)]
        polled += readers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
        isOver = polled[0].revents != 0
        // The child may have written and ended after the pipes were checked, so they are checked once more.
        if isOver { poll(&polled, nfds_t(polled.count), 0) }
        for index in readers.indices.reversed() where polled[index + 1].revents != 0 && !readers[index].read() {
            readers.remove(at: index).finish()
        }
    }
    for reader in readers { reader.finish() }
}
