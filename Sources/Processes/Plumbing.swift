import CLinux
import Glibc

/// The descriptors between this process and a child that is about to start.
///
/// All are created close-on-exec. Otherwise a child that another thread starts at the same time would inherit a
/// lifeline's writing end, and keep its sibling alive after this process has ended.
struct Plumbing {
    /// The child's standard input, output and error; nil means our own.
    private(set) var childEnds: [Int32?] = []
    private(set) var lifeline: Int32?
    private(set) var readers: [OutputReader] = []

    init(
        input: ChildProcess.Input, output: ChildProcess.Output, error: ChildProcess.Output
    ) throws(SystemError) {
        do {
            switch input {
            case .nothing: childEnds.append(try opened("/dev/null", O_RDONLY))
            case .lifeline:
                let (reading, writing) = try pipeEnds()
                childEnds.append(reading)
                lifeline = writing
            }
            try add(output)
            try add(error)
        } catch {
            closeChildEnds()
            closeOurEnds()
            throw error
        }
    }

    private mutating func add(_ output: ChildProcess.Output) throws(SystemError) {
        switch output {
        case .inherited: childEnds.append(nil)
        case .discarded: childEnds.append(try opened("/dev/null", O_WRONLY))
        case .file(let path): childEnds.append(try opened(path, O_WRONLY | O_CREAT | O_APPEND))
        case .bytes(let handOver): try addPipe(to: .bytes(handOver))
        case .lines(let handOver): try addPipe(to: .lines(handOver))
        }
    }

    private mutating func addPipe(to sink: OutputReader.Sink) throws(SystemError) {
        let (reading, writing) = try pipeEnds()
        childEnds.append(writing)
        readers.append(OutputReader(descriptor: reading, sink: sink))
    }

    func closeChildEnds() {
        for end in childEnds { end.map { _ = close($0) } }
    }

    func closeOurEnds() {
        lifeline.map { _ = close($0) }
        for reader in readers { close(reader.descriptor) }
    }
}

/// Creates a pipe that no child inherits.
package func pipeEnds() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .last("open a pipe") }
    return (ends[0], ends[1])
}

private func opened(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last("open \(path)") }
    return descriptor
}
